/** Styles of the dashboard. */
import { css } from "lit";

export const dashboardStyles = css`
  section {
    display: grid;
    gap: var(--gap);
    container-type: inline-size;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  h2 {
    flex: 1;
  }
  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr));
    gap: var(--gap);
  }
  .tiles > li {
    display: flex;
    flex-direction: column;
    gap: 6px;
    min-width: 0;
    border-radius: var(--radius);
  }
  .tiles slip-widget {
    flex: 1;
  }
  @container (min-width: 560px) {
    .tile-large {
      grid-column: span 2;
    }
  }
  .dragged {
    opacity: 0.6;
  }
  .over {
    outline: 3px dashed var(--action);
    outline-offset: 2px;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .tools button {
    min-width: 36px;
    padding: 6px;
  }
  .handle {
    flex: 1;
    cursor: grab;
    touch-action: none;
  }
  .addable {
    display: grid;
    gap: 8px;
  }
  .addable li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
  }
  .addable li > div {
    flex: 1 1 200px;
    min-width: 0;
  }
  @media (pointer: coarse) {
    .tools button {
      min-width: 44px;
    }
  }
`;
