/** Styles of an app's page. */
import { css } from "lit";

export const pageStyles = css`
  :host,
  .columns > div {
    display: grid;
    align-content: start;
    gap: var(--gap);
    min-width: 0;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 16px;
    --slip-icon-size: 64px;
  }
  .title {
    flex: 1 1 260px;
    min-width: 0;
  }
  h2 {
    margin-block-end: 8px;
  }
  .marks,
  .ways {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .text {
    white-space: pre-wrap;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 5fr) minmax(0, 3fr);
    gap: var(--gap);
  }
  .card > * + * {
    margin-block-start: 8px;
  }
  .card > h2 {
    margin-block: 0;
  }
  summary > h2 {
    display: inline;
  }
  .rows > li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px;
    padding-block: 10px;
  }
  .rows > li + li {
    border-block-start: 1px solid var(--line);
  }
  .rows > li > div {
    flex: 1 1 180px;
    min-width: 0;
  }
  .rows > .problem {
    flex-wrap: nowrap;
    align-items: start;
  }
  .problem.error > .icon {
    color: var(--bad);
  }
  .plain > li {
    display: flex;
    gap: 8px;
  }
  @media (max-width: 900px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
