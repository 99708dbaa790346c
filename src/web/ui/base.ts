/** Styles of every element: tokens a page may set as `--slip-*`, and the plain controls. */
import { css } from "lit";

/**
 * Tokens: neutral slate, one blue for action; green, amber and red for states alone, always beside an icon and a word;
 * amber belongs to what needs a person. Each has a value for light and dark (`color-scheme` decides).
 */
export const base = css`
  :host {
    --bg: var(--slip-bg, light-dark(#f8fafc, #0f172a));
    --surface: var(--slip-surface, light-dark(#ffffff, #1e293b));
    --sunken: var(--slip-sunken, light-dark(#f1f5f9, #172033));
    --text: var(--slip-text, light-dark(#0f172a, #f1f5f9));
    --muted: var(--slip-muted, light-dark(#475569, #a9b6c8));
    --line: var(--slip-line, light-dark(#cbd5e1, #3b4a61));
    --control-line: var(--slip-control-line, light-dark(#64748b, #8293ab));
    --action: var(--slip-action, light-dark(#1d4ed8, #7fb0ff));
    --on-action: var(--slip-on-action, light-dark(#ffffff, #0b1220));
    --good: var(--slip-good, light-dark(#166534, #6ee7a0));
    --good-soft: var(--slip-good-soft, light-dark(#dcfce7, #14352a));
    --ask: var(--slip-ask, light-dark(#8a4b08, #fbbf55));
    --ask-soft: var(--slip-ask-soft, light-dark(#fff8e6, #332a18));
    --ask-line: color-mix(in srgb, var(--ask) 50%, transparent);
    --bad: var(--slip-bad, light-dark(#b01c1c, #fca5a5));
    --bad-soft: var(--slip-bad-soft, light-dark(#fee2e2, #44202a));
    --radius: var(--slip-radius, 10px);
    --gap: var(--slip-gap, 16px);
    --font: var(--slip-font, inherit);
    --mono: var(--slip-mono, ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace);
    display: block;
    color: var(--text);
    font-family: var(--font);
    font-variant-numeric: tabular-nums;
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  /* What an author wrote turns no words beside it around. */
  h1,
  h2,
  h3,
  label,
  option,
  dd,
  dt,
  bdi {
    unicode-bidi: isolate;
  }
  h1 {
    font-size: 1.5em;
    line-height: 1.3;
  }
  h2 {
    font-size: 1.0625em;
  }
  h3 {
    font-size: 1em;
  }
  ul,
  ol {
    list-style: none;
  }
  a {
    color: var(--action);
  }
  svg {
    flex: none;
  }
  :is(.badge, .small, .why, .started) svg {
    width: 16px;
    height: 16px;
  }
  code {
    font-family: var(--mono);
    font-size: 0.9em;
  }
  summary {
    cursor: pointer;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: 36px;
    padding: 6px 14px;
    border: 1px solid var(--control-line);
    border-radius: calc(var(--radius) - 2px);
    background: var(--surface);
    color: var(--text);
    text-decoration: none;
    cursor: pointer;
  }
  button.primary,
  .button.primary {
    border-color: var(--action);
    background: var(--action);
    color: var(--on-action);
  }
  button.quiet {
    border-color: transparent;
    background: transparent;
    color: var(--action);
  }
  button:hover:not(:disabled),
  .button:hover {
    filter: brightness(0.96);
  }
  button:disabled {
    opacity: 1;
    border-style: dashed;
    background: var(--sunken);
    color: var(--muted);
    cursor: not-allowed;
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    width: 100%;
    min-height: 36px;
    padding: 6px 10px;
    border: 1px solid var(--control-line);
    border-radius: calc(var(--radius) - 2px);
    background: var(--surface);
  }
  ::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  :focus-visible {
    outline: 2px solid var(--action);
    outline-offset: 2px;
  }
  .card {
    padding: var(--gap);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .small {
    font-size: 0.875em;
  }
  .last-known {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .muted {
    color: var(--muted);
  }
  .only-heard {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 2px 10px;
    border-radius: 999px;
    background: var(--sunken);
    font-size: 0.875em;
  }
  .badge.good {
    background: var(--good-soft);
    color: var(--good);
  }
  .badge.ask {
    background: var(--ask-soft);
    color: var(--ask);
  }
  .badge.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  @media (pointer: coarse) {
    button,
    .button,
    input:not([type="checkbox"], [type="radio"]),
    select,
    summary {
      min-height: 44px;
    }
    summary {
      align-content: center;
    }
    .link {
      display: inline-flex;
      align-items: center;
      min-height: 44px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .badge {
      border: 1px solid;
    }
    /* What is chosen is told by a background elsewhere, which is none here. */
    a[aria-current="page"],
    button:is([aria-current="true"], [aria-pressed="true"], [aria-selected="true"]) {
      forced-color-adjust: none;
      background: Highlight !important;
      color: HighlightText !important;
    }
  }
`;
