import type { TaskView } from "../../engine/api.ts";
import type { Deaths } from "./moments.ts";
import type { SentRequests } from "./sent-requests.ts";
import type { StoryEnd } from "./story.ts";

/** A run of a story: how it ended, and what happened. */
export interface PlayedEnd {
  readonly end: StoryEnd;
  /** Every task of it, those below another one too, in the order they were begun. */
  readonly tasks: readonly TaskView[];
  /** Hooks a person had to decide about, as they were then. */
  readonly stops: readonly TaskView[];
  /** The hook of each request a person had sent again, as it may have arrived. */
  readonly asked: readonly string[];
  readonly sent: SentRequests;
  readonly deaths: Deaths;
}
