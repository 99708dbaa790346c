/** How a tile stands, in a picture and a word; amber belongs to what needs a person. */
import type { Widget } from "../../api/types.ts";
import type { IconName } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";

/** `stale`: what is shown is of before. `gone`: neither the app nor the catalog has it any more. */
export type Standing = Widget["state"] | "gone" | "stale";

export interface StandingWords {
  readonly tone: "" | "ask" | "bad";
  readonly picture: IconName;
  readonly word: string;
}

/** Says how a tile that is not simply ready stands. */
export function describeStanding({ widget }: Words, standing: Exclude<Standing, "ready">): StandingWords {
  switch (standing) {
    case "needsSetup":
      return { tone: "ask", picture: "settings-2", word: widget.needsSetup };
    case "unavailable":
      return { tone: "", picture: "ban", word: widget.unavailable };
    case "failed":
      return { tone: "bad", picture: "circle-x", word: widget.failed };
    case "stale":
      return { tone: "bad", picture: "history", word: widget.stale };
    case "gone":
      return { tone: "", picture: "trash-2", word: widget.gone };
    case "hidden":
      return { tone: "", picture: "eye-off", word: widget.hidden };
  }
}
