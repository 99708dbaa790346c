/** Styles of the catalog. */
import { css } from "lit";

export const catalogStyles = css`
  :host {
    display: grid;
    gap: var(--gap);
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 10px;
  }
  .search {
    position: relative;
    flex: 1 1 260px;
    max-width: 480px;
  }
  .search .icon {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 10px;
    margin-block: auto;
    color: var(--muted);
    pointer-events: none;
  }
  .search input {
    padding-inline-start: 40px;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .filters button[aria-pressed="true"] {
    border-color: var(--action);
    color: var(--action);
    font-weight: 600;
  }
  .apps {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr));
    gap: 14px;
  }
  .apps[aria-busy="true"] {
    opacity: 0.6;
  }
  .app {
    position: relative;
    display: grid;
    align-content: space-between;
    gap: 12px;
    min-width: 0;
  }
  .head {
    display: flex;
    gap: 12px;
    min-width: 0;
  }
  .head > div {
    min-width: 0;
  }
  h2 {
    font-size: 1em;
    line-height: 1.35;
  }
  h2 a {
    color: inherit;
    text-decoration: none;
  }
  h2 a::after {
    position: absolute;
    inset: 0;
    content: "";
  }
  h2 a:hover {
    color: var(--action);
    text-decoration: underline;
  }
  h2,
  .about {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  h2:focus-within {
    overflow: visible;
  }
  .about {
    font-size: 0.875em;
  }
  .foot,
  .marks,
  .ways {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .foot {
    justify-content: space-between;
  }
  summary {
    list-style: none;
  }
  .ways,
  details {
    position: relative;
  }
  .ways {
    margin-inline-start: auto;
    font-size: 0.9375em;
  }
  details > .ways {
    position: absolute;
    inset-block-start: calc(100% + 4px);
    inset-inline-end: 0;
    z-index: 1;
    display: grid;
    width: max-content;
    max-width: min(260px, 70vw);
    padding: 8px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: 0 8px 24px rgb(0 0 0 / 25%);
    font-size: inherit;
  }
`;
