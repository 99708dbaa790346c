import type { Problem } from "../../core/codes/problems.ts";
import type { Coverage } from "../coverage.ts";
import type { Subject } from "../subject.ts";

/** A promise about an app, shown by playing it. */
export interface Level {
  readonly number: number;
  readonly name: string;
  /** When it holds, as one clause. */
  readonly holds: string;
  /** Plays the app; what it finds breaks the level where it is an error. Rejects with the signal's reason. */
  play(app: PlayedApp, setting: LevelSetting): Promise<Played>;
}

/** An app that holds level 1: everything above plays its dictionary. */
export type PlayedApp = Subject & { readonly dictionary: NonNullable<Subject["dictionary"]> };

/** What every level is played with. */
export interface LevelSetting {
  /** Decides generated answers. */
  readonly seed: number;
  /** Aborts when the check is stopped, or the level's time is up. */
  readonly signal: AbortSignal;
}

/** What a level found, and how much of the app it has seen. */
export interface Played {
  readonly findings: readonly Problem[];
  readonly coverage: readonly Coverage[];
}
