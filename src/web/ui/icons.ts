/**
 * Pictures beside words, never in their place: Lucide (https://lucide.dev), each as the one path of its strokes,
 * some with plainer corners.
 *
 * ISC License. Copyright (c) 2026 Lucide Icons and Contributors, in part derived from Feather (MIT), copyright (c) 2013-2026
 * Cole Bemis. Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
 * granted, provided that the above copyright notice and this permission notice appear in all copies. The software is
 * provided "as is" and the author disclaims all warranties with regard to this software including all implied warranties of
 * merchantability and fitness.
 */
import { html, type TemplateResult } from "lit";

/** Strokes of 2 on a square of 24. */
const PATHS = {
  activity: "M22 12h-4l-3 9L9 3l-3 9H2",
  archive: "M2 3h20v5H2zM4 8v13h16V8M10 12h4",
  "arrow-left": "m12 19-7-7 7-7M19 12H5",
  "arrow-right": "M5 12h14M0 0m12 5 7 7-7 7",
  ban: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M4.9 4.9 19.1 19.1",
  bell: "M10.3 21a2 2 0 0 0 3.5 0M18 8A6 6 0 0 0 6 8c0 7-3 9-3 9h18s-3-2-3-9",
  check: "M20 6 9 17l-5-5",
  "chevron-down": "m6 9 6 6 6-6",
  "chevron-left": "m15 18-6-6 6-6",
  "chevron-right": "m9 18 6-6-6-6",
  "chevron-up": "m18 15-6-6-6 6",
  circle: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0",
  "circle-alert": "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 8L12 12M12 16L12 16",
  "circle-arrow-up": "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M16 12l-4-4-4 4M12 16V8",
  "circle-check": "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M0 0m16 9-5.5 5.5L8 12",
  "circle-help": "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01",
  "circle-x": "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M0 0m15 9-6 6M0 0m9 9 6 6",
  clock: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 6v6l4 2",
  "cloud-off":
    "M10.9 5.3A7 7 0 0 1 15.7 10h1.8a4.5 4.5 0 0 1 4.2 6.1M18.8 18.8A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.8 5.8M0 0m2 2 20 20",
  copy: "M8 8h14v14H8zM4 16H2V2h14v2",
  download: "M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M0 0m7 10 5 5 5-5",
  "external-link": "M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "eye-off": "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7M2 2l20 20",
  file: "M4 2h10l6 6v14H4zM14 2v6h6",
  folder: "M2 4h7l3 3h10v13H2z",
  "heart-pulse": "M3.5 12.5a5.3 5.3 0 0 1 8.5-6 5.3 5.3 0 0 1 8.5 6L12 21zM4 13h5l1-2 2 5 2-6 1.5 3h5",
  history: "M3 12a9 9 0 1 0 9-9 9.8 9.8 0 0 0-6.7 2.7L3 8M3 3v5h5M12 7v5l4 2",
  house: "M2 11l10-8 10 8M4 10v11h16V10M9 21v-8h6v8",
  image: "M3 3h18v18H3zM7 9a2 2 0 1 0 4 0a2 2 0 1 0-4 0M21 15l-4-4L7 21",
  info: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 16v-4M12 8h.01",
  "layout-grid": "M3 3h7v7h-7zM14 3h7v7h-7zM14 14h7v7h-7zM3 14h7v7h-7z",
  link: "M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7.1-7.1l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7.1 7.1l1.7-1.7",
  list: "M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13",
  "list-checks": "M13 5h8M13 12h8M13 19h8M0 0m3 17 2 2 4-4M0 0m3 7 2 2 4-4",
  "loader-circle": "M21 12a9 9 0 1 1-6.2-8.6",
  lock: "M3 11h18v11H3zM7 11V7a5 5 0 0 1 10 0v4",
  "log-out": "m16 17 5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4",
  menu: "M4 5h16M4 12h16M4 19h16",
  package: "M21 7v10l-9 5-9-5V7l9-5zM3 7l9 5 9-5M12 12v10M7.5 4.5l9 5",
  pause: "M15 3h4v18h-4zM5 3h4v18h-4z",
  pencil: "M3 21l1-5L16 4l4 4L8 20zM13 7l4 4",
  play: "M5 5a2 2 0 0 1 3-1.7l12 7a2 2 0 0 1 0 3.5l-12 7A2 2 0 0 1 5 19z",
  plus: "M5 12h14M12 5v14",
  "refresh-cw": "M21 12a9 9 0 1 1-3-6.7L21 8M21 3v5h-5",
  search: "m21 21-4.3-4.3M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0",
  server: "M3 3h18v7H3zM3 14h18v7H3zM7 6.5L7 6.5M7 17.5L7 17.5",
  "settings-2": "M14 17H5M19 7h-9M14 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0M4 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "skip-forward": "M21 4v16M6 4.3A2 2 0 0 0 3 6v12a2 2 0 0 0 3 1.7l10-6a2 2 0 0 0 0-3.4z",
  square: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2z",
  "trash-2": "M3 6h18M8 6V2h8v4M5 6v16h14V6M10 11v6M14 11v6",
  "triangle-alert": "m21.7 18-8-14a2 2 0 0 0-3.5 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.7-3M12 9v4M12 17h.01",
  "undo-2": "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11",
  user: "M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M8 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  x: "M18 6 6 18M0 0m6 6 12 12",
  "zoom-in": "M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0M21 21L16.7 16.7M11 8L11 14M8 11L14 11",
  "zoom-out": "M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0M21 21L16.7 16.7M8 11L14 11",
} as const;

/** Name of a picture, as Lucide has it. */
export type IconName = keyof typeof PATHS;

/** A picture of 20 px in the colour of the text, which screen readers pass over. */
export function icon(name: IconName): TemplateResult {
  return html`<svg
    class="icon"
    aria-hidden="true"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d=${PATHS[name]} />
  </svg>`;
}
