/** Styles of the file browser. */
import { css } from "lit";

export const filesStyles = css`
  section,
  .panel {
    display: grid;
    gap: 12px;
  }
  .crumbs,
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .crumbs li {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
  }
  .crumbs svg {
    width: 16px;
    height: 16px;
  }
  button.link {
    min-height: 24px;
    padding: 0;
    border: 0;
    background: none;
    color: var(--action);
    text-align: start;
    text-decoration: underline;
  }
  .entries {
    padding: 0;
  }
  .entries li {
    display: grid;
    grid-template-columns: 28px 24px minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 4px 10px;
    padding: 8px 12px;
    border-bottom: 1px solid var(--line);
  }
  .entries li:last-child {
    border-bottom: 0;
  }
  .entries .selected {
    background: var(--sunken);
  }
  .what,
  .when {
    font-size: 0.875em;
    text-align: end;
  }
  .when {
    min-width: 11em;
  }
  input[type="checkbox"] {
    width: 20px;
    height: 20px;
    margin: 0;
    accent-color: var(--action);
  }
  .all {
    display: inline-flex;
    align-items: center;
    gap: 10px;
    min-height: 36px;
  }
  .grow {
    flex: 1;
  }
  .panel {
    position: sticky;
    bottom: var(--page-foot, 0px);
    max-height: 50vh;
    overflow: auto;
  }
  .actions {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr));
    gap: 8px;
  }
  @media (pointer: coarse) {
    input[type="checkbox"] {
      width: 28px;
      height: 28px;
    }
    .all {
      min-height: 44px;
    }
  }
  @media (max-width: 620px) {
    .entries li {
      grid-template-columns: 28px 24px minmax(0, 1fr);
    }
    .what,
    .when {
      grid-column: 3;
      text-align: start;
    }
  }
`;
