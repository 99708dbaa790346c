/** The links an app has to do with, and why some can't be played. */
import { explainNever } from "../../core/hooks/conditions.ts";
import { LINK_LIMIT } from "../../core/hooks/install-links.ts";
import { type DeclaredPairing, listDeclaredPairings } from "../../core/hooks/pairings.ts";
import type { Neighbours } from "../neighbours.ts";
import type { PlayedApp } from "../subject.ts";

/** A link that can be played. */
export interface PlayableLink {
  readonly app: PlayedApp;
  readonly hook: DeclaredPairing["hook"];
  /** Without hooks: what else they do is theirs. */
  readonly targets: readonly [PlayedApp, ...PlayedApp[]];
}

/** The links found: those to play, and those that can't be, with why. */
export interface FoundLinks {
  readonly playable: readonly PlayableLink[];
  readonly untried: readonly string[];
}

/** Incoming links that are tried. */
const MOST_INCOMING = 6;

/** The links an app's own hooks declare. */
export async function listOwnLinks(app: PlayedApp, neighbours: Neighbours): Promise<FoundLinks> {
  const playable: PlayableLink[] = [];
  const untried: string[] = [];
  for (const { hook, targets: ids } of listDeclaredPairings(app.dictionary)) {
    const name = nameLink(app, hook);
    const found = await Promise.all(ids.slice(0, LINK_LIMIT).map((id) => neighbours.find(id)));
    const [first, ...rest] = found.filter((one) => one !== null).map(dropHooks);
    const missing = ids.find((_, index) => found[index] === null);
    const never = explainNever(hook.conditions);
    if (never !== null) untried.push(`${name}: ${never}`);
    else if (first === undefined || missing !== undefined)
      untried.push(`${name}: "${missing}" can't be installed from this catalog`);
    else playable.push({ app, hook, targets: [first, ...rest] });
  }
  return { playable, untried };
}

/** The links hooks of other apps declare with an app, as many as are tried. */
export async function listIncomingLinks(app: PlayedApp, neighbours: Neighbours): Promise<FoundLinks> {
  const others = (await neighbours.list()).filter(({ appId }) => appId !== app.appId);
  const naming = others.filter((other) =>
    listDeclaredPairings(other).some(({ targets }) => targets.includes(app.appId)),
  );
  const ids = naming.slice(0, MOST_INCOMING).map(({ appId }) => appId);
  const declaring = (await Promise.all(ids.map((id) => neighbours.find(id)))).filter((one) => one !== null);
  const found = await Promise.all(declaring.map((other) => listOwnLinks(other, neighbours)));
  const names = (link: PlayableLink) => link.targets.some(({ appId }) => appId === app.appId);
  return {
    playable: found.flatMap(({ playable }) => playable.filter(names)),
    untried: naming
      .slice(MOST_INCOMING)
      .map(({ appId }) => `links of "${appId}": at most ${MOST_INCOMING} other apps are tried`),
  };
}

/** A link by its app and hook, in words. */
export function nameLink({ appId }: Pick<PlayedApp, "appId">, { id }: Pick<DeclaredPairing["hook"], "id">): string {
  return `link "${id}" of "${appId}"`;
}

function dropHooks(app: PlayedApp): PlayedApp {
  return { ...app, dictionary: { ...app.dictionary, hooks: [], widgets: [] } };
}
