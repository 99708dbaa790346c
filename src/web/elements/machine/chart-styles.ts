/** How a machine's drawing looks: what was passed is green, the present state full, what may come next dashed. */
import { css } from "lit";

export const chartStyles = css`
  .sheet {
    max-height: min(70vh, 680px);
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    cursor: grab;
  }
  .sheet.held {
    cursor: grabbing;
    user-select: none;
  }
  .sheet > svg {
    display: block;
    margin-inline: auto;
  }
  .zoom {
    display: flex;
    justify-content: end;
    gap: 4px;
  }
  svg text {
    font-family: var(--font);
    fill: var(--text);
  }
  .parent {
    fill: color-mix(in srgb, var(--sunken) 60%, transparent);
    stroke: var(--control-line);
  }
  .parent.active {
    stroke: var(--action);
    stroke-width: 2;
    stroke-dasharray: 6 4;
  }
  svg .title {
    font-size: 14px;
    font-weight: 600;
  }
  .state rect,
  .state circle {
    fill: var(--surface);
    stroke: var(--control-line);
  }
  .state .inner {
    fill: none;
  }
  svg .name {
    font-size: 14px;
    text-anchor: middle;
  }
  svg .order {
    font-size: 11px;
    text-anchor: middle;
  }
  .state.passed rect {
    fill: var(--good-soft);
    stroke: var(--good);
    stroke-width: 1.5;
  }
  .state.passed .inner {
    fill: none;
  }
  .state.passed text {
    fill: var(--good);
  }
  .state.present rect {
    fill: var(--action);
    stroke: var(--action);
    stroke-width: 3;
    animation: pulse 1.6s ease-in-out infinite;
  }
  .state.present .inner {
    fill: none;
    stroke: var(--on-action);
    stroke-width: 1;
    animation: none;
  }
  .state.present text {
    fill: var(--on-action);
    font-weight: 700;
  }
  @keyframes pulse {
    50% {
      stroke-width: 9;
      stroke-opacity: 0.4;
    }
  }
  .line {
    fill: none;
    stroke: var(--control-line);
  }
  .arrow {
    fill: var(--control-line);
  }
  svg .label {
    fill: var(--muted);
    font-family: var(--mono);
    font-size: 11px;
  }
  .exit .line {
    stroke: var(--action);
    stroke-width: 2;
    stroke-dasharray: 5 4;
  }
  .exit .arrow {
    fill: var(--action);
  }
  svg .exit .label {
    fill: var(--text);
  }
  .taken .line {
    stroke: var(--good);
    stroke-width: 2.5;
  }
  .taken .arrow {
    fill: var(--good);
  }
  svg .taken .label {
    fill: var(--good);
  }
  svg .label.person {
    font-weight: 700;
  }
  @media (forced-colors: active) {
    svg {
      forced-color-adjust: none;
    }
    svg text,
    svg .label {
      fill: CanvasText !important;
    }
    .parent,
    .state rect,
    .state circle {
      fill: Canvas !important;
      stroke: CanvasText;
    }
    .line {
      stroke: GrayText;
    }
    .arrow {
      fill: GrayText;
    }
    .exit .line {
      stroke: LinkText;
    }
    .taken .line,
    .state.passed rect {
      stroke: CanvasText;
      stroke-width: 3;
    }
    .state.present rect {
      fill: Highlight !important;
      stroke: Highlight;
    }
    .state.present text {
      fill: HighlightText !important;
    }
  }
`;
