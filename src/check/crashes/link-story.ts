/** A link: its app and what it links with are installed together, the link is made again where a person can press it, and the app uninstalled. */
import { createSeededRandom } from "../../standin/random.ts";
import { buildLinkedInstall } from "../links/link-request.ts";
import type { PlayableLink } from "../links/list-links.ts";
import { awaitShown } from "../links/shown-status.ts";
import { generateInputs } from "../trials/generate-inputs.ts";
import { readSoundFake } from "../world/sound-fake.ts";
import type { ShownLink, Story, StoryEnd } from "./story.ts";
import type { Undying } from "./undying.ts";

const MOST_RUNS = 8;

/** The life of one link; its app's other hooks have a story of their own to die in. */
export function tellLink(link: PlayableLink, seed: number, signal: AbortSignal): Story {
  const { app, hook, targets } = link;
  return {
    app,
    fake: readSoundFake(app),
    beside: targets.map((target) => ({ app: target, fake: readSoundFake(target) })),
    about: `, installed with its link "${hook.id}"`,
    mostRuns: MOST_RUNS,
    dies: ({ hookId }) => hookId === null || hookId === hook.id,
    play: (person) => play(link, seed, signal, person),
  };
}

async function play(link: PlayableLink, seed: number, signal: AbortSignal, person: Undying): Promise<StoryEnd> {
  const { app, hook, targets } = link;
  const request = buildLinkedInstall(link, createSeededRandom(seed));
  await person.see((engine) => engine.install(app.appId, request));
  const surface = hook.surfaces.find((one) => one !== "installPicker");
  if (surface !== undefined && hook.rerun !== "refuse") {
    const action = { inputs: generateInputs(hook, createSeededRandom(seed)), surface };
    await person.see((engine) => engine.runAction(app.appId, hook.id, action));
  }
  const links: ShownLink[] = [];
  for (const { appId } of targets) {
    for (const sides of [[app.appId, appId] as const, [appId, app.appId] as const]) {
      const shown = await person.ask((engine) => awaitShown(engine, link, sides, "connected", signal));
      links.push({ of: sides[0], other: sides[1], status: shown ?? "not there" });
    }
  }
  const apps = [];
  for (const { appId } of [app, ...targets]) apps.push(await person.readSettled(appId));
  await person.see((engine) => engine.uninstall(app.appId, { keepData: false }));
  return { apps, links, left: person.listTraces() };
}
