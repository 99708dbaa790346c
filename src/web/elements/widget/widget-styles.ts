/** Styles of one tile. */
import { css } from "lit";

export const widgetStyles = css`
  :host([standing="hidden"]) {
    visibility: hidden;
    height: 0;
    overflow: hidden;
  }
  article {
    display: grid;
    align-content: start;
    gap: 12px;
    height: 100%;
    container-type: inline-size;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 12px;
  }
  h3 {
    line-height: 1.4;
  }
  header p,
  .standing p,
  .list .muted,
  .meta {
    font-size: 0.875em;
  }
  .standing {
    display: grid;
    gap: 8px;
    justify-items: start;
  }
  .body,
  .fields {
    display: grid;
    gap: 12px;
    align-content: start;
    min-width: 0;
  }
  .stat {
    display: flex;
    flex-direction: column-reverse;
  }
  .stat dd {
    font-size: 1.75em;
    font-weight: 700;
    line-height: 1.2;
  }
  .text {
    white-space: pre-line;
  }
  .list {
    display: grid;
    gap: 10px;
  }
  .list li {
    display: flex;
    align-items: start;
    gap: 10px;
  }
  .list li > div {
    flex: 1;
    min-width: 0;
  }
  .list img {
    flex: none;
    width: 40px;
    height: 40px;
    border-radius: 6px;
    object-fit: cover;
  }
  .meta {
    max-width: 40%;
    text-align: end;
  }
  .elapsed {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .elapsed svg {
    width: 14px;
    height: 14px;
  }
  progress {
    width: 100%;
    height: 6px;
    accent-color: var(--action);
  }
  .image,
  .media {
    display: block;
    width: 100%;
    max-height: 220px;
    border-radius: calc(var(--radius) - 2px);
    object-fit: cover;
  }
  @container (min-width: 420px) {
    .left,
    .right,
    .both {
      grid-template-columns: 120px 1fr;
    }
    .right {
      grid-template-columns: 1fr 120px;
    }
    .both {
      grid-template-columns: 120px 1fr 120px;
    }
    :is(.left, .right, .both) > .media {
      height: 100%;
      max-height: 280px;
    }
  }
  @container (max-width: 419px) {
    .both > .media + .fields + .media {
      display: none;
    }
  }
  .buttons {
    display: grid;
    gap: 8px;
  }
`;
