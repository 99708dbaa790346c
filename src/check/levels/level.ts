import type { Problem } from "../../core/codes/problems.ts";
import type { Coverage } from "../coverage.ts";
import type { Neighbours } from "../neighbours.ts";
import type { PlayedApp } from "../subject.ts";
import type { Worlds } from "../world/worlds.ts";

/** A promise about an app, shown by playing it. */
export interface Level {
  readonly number: number;
  readonly name: string;
  /** When it holds, as one clause. */
  readonly holds: string;
  /** Which lines of the app's scripts it comes to is counted. */
  readonly countsLines?: true;
  /** Plays the app; what it finds breaks the level where it is an error. Rejects with the signal's reason. */
  play(app: PlayedApp, setting: LevelSetting): Promise<Played>;
}

/** Where a level plays an app. */
export type PlayedWorlds = Pick<Worlds, "open" | "scenarios">;

/** What every level is played with. */
export interface LevelSetting {
  /** Decides generated answers. */
  readonly seed: number;
  /** Aborts when the check is stopped, or the level's time is up. */
  readonly signal: AbortSignal;
  /** Where apps are played. */
  readonly worlds: PlayedWorlds;
  readonly neighbours: Neighbours;
  /** Told what was going on where the level's time was up. */
  doing(what: string): void;
}

/** What a level found, and how much of the app it has seen. */
export interface Played {
  readonly findings: readonly Problem[];
  readonly coverage: readonly Coverage[];
}
