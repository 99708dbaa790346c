/** Parts of a request that a method has no use for: given, each is refused with its place, never left unread. */
import type { Problem } from "../../../core/codes/problems.ts";
import type { Dictionary, LifecycleEvent } from "../../../core/script/dictionary.ts";
import { InstallRequest } from "../../requests.ts";
import { createRequestProblem, listInputProblems } from "./request.ts";

/** An update merges values into the app's configuration, and takes nothing else. */
const UPDATE_PARTS = ["answers", "revision"] as const;

/** An upgrade takes inputs of the hooks it may run, and nothing else. */
const UPGRADE_PARTS = ["inputs", "revision"] as const;

const PARTS = InstallRequest.keyof().options;

type Part = (typeof PARTS)[number];

/** Problems for the parts of a request an update has no use for. */
export function refuseUntakenByUpdate(request: InstallRequest): readonly Problem[] {
  return refuseUntaken(request, UPDATE_PARTS, "an update");
}

/** Problems for the parts of a request an upgrade has no use for, and the inputs of the hooks it may run. */
export function checkUpgrade(dictionary: Dictionary, request: InstallRequest): readonly Problem[] {
  const events: readonly LifecycleEvent[] = ["onBeforeUpgrade", "onAfterUpgrade"];
  const idle = dictionary.hooks
    .filter(({ id, triggers }) => {
      const isGiven = Object.hasOwn(request.inputs ?? {}, id);
      return isGiven && !triggers.some(({ event }) => events.some((upgrade) => upgrade === event));
    })
    .map(({ id }) => {
      return createRequestProblem("ANSWER_NOT_TAKEN", `no upgrade runs the hook "${id}"`, ["inputs", id]);
    });
  return [...refuseUntaken(request, UPGRADE_PARTS, "an upgrade"), ...listInputProblems(dictionary, request), ...idle];
}

function refuseUntaken(request: InstallRequest, taken: readonly Part[], method: string): readonly Problem[] {
  return PARTS.filter((part) => !taken.includes(part)).flatMap((part) => {
    const given = request[part];
    const steps = Array.isArray(given) ? given.keys() : typeof given === "object" ? Object.keys(given) : [];
    const places = typeof given === "string" ? [[part]] : [...steps].map((step) => [part, step]);
    return places.map((place) => createRequestProblem("ANSWER_NOT_TAKEN", `${method} takes no ${part}`, place));
  });
}
