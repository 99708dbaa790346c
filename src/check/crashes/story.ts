import type { AppTable } from "../../standin/apps/answers.ts";
import type { PlayedApp } from "../subject.ts";
import type { OfferedApp } from "../world/worlds.ts";
import type { Moment } from "./moments.ts";
import type { RestingApp, Undying } from "./undying.ts";

/** What is played while engines die, the same each time. */
export interface Story {
  readonly app: PlayedApp;
  readonly fake: AppTable;
  readonly beside: readonly OfferedApp[];
  /** What it is about, as the end of a sentence on a crash of it; empty where that goes without saying. */
  readonly about: string;
  /** Runs it may take. */
  readonly mostRuns: number;
  /** Whether an engine is to die at a moment of it. */
  dies(moment: Moment): boolean;
  /** Plays it. Rejects with the signal's reason, and with what an engine refuses. */
  play(person: Undying): Promise<StoryEnd>;
}

/** How the host and its apps are in the end, which no crash may change. */
export interface StoryEnd {
  /** Before they went. */
  readonly apps: readonly RestingApp[];
  readonly links: readonly ShownLink[];
  /** What was on the host once the app had gone: kinds and names. */
  readonly left: readonly string[];
}

/** How one side of a link showed the other. */
export interface ShownLink {
  readonly of: string;
  readonly other: string;
  readonly status: string;
}
