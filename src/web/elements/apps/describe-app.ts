/** How an app stands, as a picture, a colour and a word. Pure. */
import type { App } from "../../api/types.ts";
import type { IconName } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";

/** A mark beside an app's name; the colour never stands alone. */
export interface Mark {
  readonly icon: IconName;
  readonly tone: "good" | "bad" | "plain";
  readonly word: string;
}

/** Of the host's states (docs/host-api.md); any other is shown by its own name. */
const STATES: ReadonlyMap<string, Pick<Mark, "icon" | "tone"> & { readonly word: keyof Words["apps"]["states"] }> =
  new Map([
    ["CRASHED", { icon: "circle-x", tone: "bad", word: "crashed" }],
    ["DEPLOYING", { icon: "loader-circle", tone: "plain", word: "deploying" }],
    ["RUNNING", { icon: "circle-check", tone: "good", word: "running" }],
    ["STOPPED", { icon: "square", tone: "plain", word: "stopped" }],
    ["STOPPING", { icon: "loader-circle", tone: "plain", word: "stopping" }],
  ]);

/** Whether it is installed and runs: "not installed" is said only where the host has said so. */
export function describeStanding(words: Words, { installed }: Pick<App, "installed">): Mark {
  const { states } = words.apps;
  if (installed === undefined) return { icon: "circle-help", tone: "plain", word: states.unknown };
  if (installed === null) return { icon: "circle", tone: "plain", word: states.absent };
  const known = STATES.get(installed.state);
  if (known === undefined) return { icon: "circle-help", tone: "plain", word: installed.state };
  return { icon: known.icon, tone: known.tone, word: states[known.word] };
}

/** Everything else there is to say beside its name. */
export function listMarks(words: Words, app: Pick<App, "deprecated" | "installed" | "usable">): readonly Mark[] {
  const { marks } = words.apps;
  return [
    ...(app.installed?.upgradeAvailable
      ? [{ icon: "circle-arrow-up", tone: "plain", word: marks.upgrade } as const]
      : []),
    ...(app.usable ? [] : [{ icon: "ban", tone: "plain", word: marks.unusable } as const]),
    ...(app.deprecated ? [{ icon: "archive", tone: "plain", word: marks.deprecated } as const] : []),
  ];
}
