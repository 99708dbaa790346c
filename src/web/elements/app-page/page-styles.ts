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
  h1 {
    font-size: 1.5em;
    line-height: 1.3;
  }
  h2 {
    margin-block-end: 8px;
    font-size: 1.0625em;
  }
  .marks,
  .ways {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .badge .icon,
  .why .icon,
  .small .icon {
    width: 16px;
    height: 16px;
  }
  .text {
    white-space: pre-wrap;
  }
  .small {
    font-size: 0.875em;
  }
  .last-known {
    display: flex;
    align-items: center;
    gap: 6px;
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
  summary {
    cursor: pointer;
  }
  @media (pointer: coarse) {
    summary {
      min-height: 44px;
      align-content: center;
    }
  }
  code {
    font-family: var(--mono);
    font-size: 0.9em;
  }
  @media (max-width: 900px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
