/** How a machine's drawing looks: what was passed is green, the present state full, what may come next dashed. */
import { css } from "lit";

export const chartStyles = css`
  .sheet {
    max-height: min(60vh, 680px);
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
    fill: var(--ink, var(--text));
  }
  .start {
    fill: var(--text);
  }
  [data-state] {
    cursor: pointer;
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
    stroke: var(--ink, var(--control-line));
  }
  svg .name {
    font-size: 14px;
    text-anchor: middle;
  }
  svg .order {
    font-size: 11px;
    text-anchor: middle;
  }
  .state.passed {
    --ink: var(--good);
  }
  .state.passed rect {
    fill: var(--good-soft);
    stroke-width: 1.5;
  }
  .state.present {
    --ink: var(--on-action);
    font-weight: 700;
  }
  .state.present rect {
    fill: var(--action);
    stroke: var(--action);
    stroke-width: 3;
    animation: pulse 1.6s ease-in-out infinite;
  }
  .state.looked rect {
    stroke: var(--text);
    stroke-width: 3;
  }
  .looked .title {
    text-decoration: underline;
  }
  .state rect.inner {
    fill: none;
    stroke: var(--ink, var(--control-line));
    stroke-width: 1;
    animation: none;
  }
  @keyframes pulse {
    50% {
      stroke-width: 9;
      stroke-opacity: 0.4;
    }
  }
  .line,
  .near {
    fill: none;
    stroke: var(--ink, var(--control-line));
  }
  .near {
    stroke: transparent;
    stroke-width: 10;
  }
  .arrow {
    fill: var(--ink, var(--control-line));
  }
  svg .label {
    fill: var(--ink, var(--muted));
    font-family: var(--mono);
    font-size: 11px;
    text-anchor: middle;
    stroke: var(--surface);
    stroke-width: 8;
    stroke-linejoin: round;
    paint-order: stroke;
  }
  svg .person {
    font-weight: 700;
  }
  .exit {
    --ink: var(--action);
  }
  .exit .line {
    stroke-width: 2;
    stroke-dasharray: 5 4;
  }
  .taken {
    --ink: var(--good);
  }
  .taken .line {
    stroke-width: 2.5;
  }
  .edge:hover {
    --ink: var(--text);
    text-decoration: underline;
  }
  .edge:hover .line {
    stroke-width: 4;
  }
  @media (forced-colors: active) {
    svg {
      forced-color-adjust: none;
    }
    svg text,
    .start {
      fill: CanvasText !important;
    }
    svg .label {
      stroke: Canvas;
    }
    .parent,
    .state rect,
    .state circle {
      fill: Canvas !important;
      stroke: CanvasText;
    }
    .edge {
      --ink: GrayText;
    }
    .exit {
      --ink: LinkText;
    }
    .taken,
    .edge:hover {
      --ink: CanvasText;
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
