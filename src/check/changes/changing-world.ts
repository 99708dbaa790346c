/** A world in which an app's script changes, and every string the engine generates is seen. */
import { createSystemRandomness } from "../../engine/system/randomness.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { offerApps } from "../world/offer-apps.ts";
import type { World } from "../world/worlds.ts";

/** The world of an app whose script changes. */
export interface ChangingWorld extends World {
  /** Every string generated so far. */
  generated(): readonly string[];
  /** Offers another script of the app from now on. */
  offer(app: PlayedApp): Promise<void>;
}

/** Opens a world that offers an app by its script as it is first. */
export async function openChanging(
  app: PlayedApp,
  fake: AppTable,
  worlds: LevelSetting["worlds"],
): Promise<ChangingWorld> {
  const randomness = createSystemRandomness();
  const drawn: string[] = [];
  let offered = offerApps(app.root, [app]);
  const world = await worlds.open(app, fake, {
    made: {
      catalog: {
        root: app.root,
        entries: () => offered.entries(),
        entry: (appId) => offered.entry(appId),
        scripts: (appId) => offered.scripts(appId),
        sync: () => offered.sync(),
      },
      randomness: {
        id: () => randomness.id(),
        alphanumeric: (length) => {
          const text = randomness.alphanumeric(length);
          drawn.push(text);
          return text;
        },
      },
    },
  });
  return {
    ...world,
    generated: () => drawn,
    offer: async (other) => {
      offered = offerApps(other.root, [other]);
      await world.engine.syncCatalog();
    },
  };
}

/** An app without its hooks and widgets, by its newest script or another. */
export function strip(app: PlayedApp, { text, dictionary }: Pick<PlayedApp, "text" | "dictionary"> = app): PlayedApp {
  return { ...app, text, dictionary: { ...dictionary, hooks: [], widgets: [] } };
}
