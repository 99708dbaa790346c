import type { Coverage } from "../coverage.ts";
import { Findings } from "../findings.ts";
import { withholdConsent } from "../links/consents.ts";
import { listIncomingLinks, listOwnLinks, nameLink } from "../links/list-links.ts";
import { OTHER_WAYS, playWay, TARGETS_FIRST } from "../links/ways.ts";
import type { PlayedApp } from "../subject.ts";
import type { Level, LevelSetting, Played } from "./level.ts";
import { playAll } from "./play-all.ts";

/** Level 8: what an app does with others. */
export const LINKS: Level = {
  number: 8,
  name: "links",
  holds:
    "every link with an app of the catalog is made, and shown as connected by both, whichever is installed first, together, or connected later by a person; none is made that nobody chose; with each consent off the install completes, and what is behind it does not run",
  play: playLinks,
};

/** Consents of one app that are tried. */
const MOST_CONSENTS = 10;

/** Links and consents played at a time. */
const AT_ONCE = 3;

async function playLinks(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const own = await listOwnLinks(app, setting.neighbours);
  const incoming = await listIncomingLinks(app, setting.neighbours);
  const untried = new Map<string, string>();
  const ownPlays = own.playable.map((link) => async (found: Findings) => {
    const why = await playWay(TARGETS_FIRST, link, setting, found);
    if (why !== null) return void untried.set(nameLink(link.app, link.hook), why);
    found.addAll(await playAll(app, OTHER_WAYS, (way, of) => playWay(way, link, setting, of)));
  });
  // Its hook is another app's to answer for: what is found is told, and breaks nothing here.
  const incomingPlays = incoming.playable.map((link) => async () => {
    const found = new Findings(link.app);
    const why = (await playWay(TARGETS_FIRST, link, setting, found)) ?? found.list()[0]?.message;
    if (why !== undefined) untried.set(nameLink(link.app, link.hook), why);
  });
  const consents = app.dictionary.hooks.filter(({ userOptional }) => userOptional !== undefined);
  const consentPlays = consents
    .slice(0, MOST_CONSENTS)
    .map((consent) => (found: Findings) => withholdConsent(app, consent, own.playable, setting, found));
  const plays = [...ownPlays, ...incomingPlays, ...consentPlays];
  const findings = new Findings(app);
  for (let at = 0; at < plays.length; at += AT_ONCE) {
    findings.addAll(await playAll(app, plays.slice(at, at + AT_ONCE), (play, found) => play(found)));
  }
  const missed = [...own.untried, ...incoming.untried, ...untried.values()];
  const all = own.playable.length + incoming.playable.length + own.untried.length + incoming.untried.length;
  const coverage: Coverage = { of: "links", reached: all - missed.length, all, missed };
  return { findings: findings.list(), coverage: all === 0 ? [] : [coverage] };
}
