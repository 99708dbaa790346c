import { type AppTable, NO_TABLE } from "../../standin/apps/answers.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "./read-fake.ts";

/** The fake of an app; one that answers nothing where it has none, or one that is not sound. */
export function readSoundFake({ root, appId }: Pick<PlayedApp, "root" | "appId">): AppTable {
  try {
    return readFake(root, appId) ?? NO_TABLE;
  } catch {
    return NO_TABLE;
  }
}
