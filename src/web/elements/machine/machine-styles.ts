/** How a machine stands among its words. */
import { css } from "lit";

export const machineStyles = css`
  :host {
    container-type: inline-size;
  }
  .head,
  .slider {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .head {
    justify-content: space-between;
    margin-block-end: 12px;
  }
  .body {
    display: grid;
    gap: var(--gap);
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  .stage {
    /* A small window has a bar at its foot. */
    scroll-margin-block: 72px;
  }
  @media (min-width: 900px) {
    @container (min-width: 540px) {
      .body {
        grid-template-columns: minmax(0, 1fr) clamp(200px, 32%, 320px);
      }
    }
  }
  .slider {
    margin-block-start: 12px;
  }
  .slider input {
    flex: 1 1 120px;
    min-width: 0;
    padding: 0;
    border: 0;
    accent-color: var(--action);
  }
  .subject {
    display: flex;
    align-items: center;
    gap: 8px;
    font-weight: 600;
  }
  aside > * + * {
    margin-block-start: 8px;
  }
  code {
    color: var(--muted);
    font-family: var(--mono);
    font-size: 0.85em;
  }
  .exits li + li {
    margin-block-start: 8px;
  }
  summary {
    min-height: 32px;
    cursor: pointer;
  }
  .way {
    max-height: 420px;
    overflow: auto;
  }
  .way button {
    display: grid;
    grid-template-columns: 6em minmax(0, 2fr) minmax(0, 1fr);
    width: 100%;
    color: var(--text);
    text-align: start;
  }
  .way [aria-current] button {
    border-color: var(--action);
  }
  @container (max-width: 480px) {
    .way button {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .fault {
    padding: 8px 12px;
    border-radius: var(--radius);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .over {
    outline: 2px dashed var(--action);
    outline-offset: 4px;
  }
  label.button {
    position: relative;
  }
  label.button:focus-within {
    outline: 2px solid var(--action);
    outline-offset: 2px;
  }
`;
