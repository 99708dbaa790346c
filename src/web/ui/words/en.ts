/** English. Another language is a module with the same shape: see `de.ts`. */
import { countIn } from "./word-types.ts";

const count = countIn("en");

export const en = {
  language: "en",
  common: {
    cancel: "Cancel",
    close: "Close",
    back: "Back",
    next: "Next",
    loading: "Loading",
    tryAgain: "Try again",
    more: "Show more",
  },
  options: {
    available: count({ one: "# option available", other: "# options available" }),
  },
};
