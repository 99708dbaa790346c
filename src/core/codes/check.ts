import type { CodeText } from "./row.ts";

/** Codes of what `slipway check` finds by playing an app (docs/checking.md). */
export const CHECK_CODES = {
  CHECK_MACRO_LEFT: {
    title: "A resolved value still holds a macro",
    hint: "let a macro stand in the text itself: what a macro or an option yields is never read again, and a key never is",
    see: "docs/checking.md",
  },
  CHECK_TYPE_CHANGED: {
    title: "A value has another type with other answers or on another host than by default",
    hint: "give both branches and all options one type",
    see: "docs/checking.md",
  },
  CHECK_PATH_OUTSIDE: {
    title: "A path an answer goes into leads out of every location",
    hint: "use no answer as a part of a host path, or offer a select of names",
    see: "docs/checking.md",
  },
  CHECK_ANSWER_READ: {
    title: "An answer is read as something else than data",
    hint: "let the answer stand in a value of its own, not in a text that is JSON",
    see: "docs/checking.md",
  },
  CHECK_TIME_UP: {
    title: "A level of the check took longer than it may",
    hint: "make what is named end, or allow more with --limit SECONDS",
    see: "docs/checking.md",
  },
} as const satisfies Record<string, CodeText>;
