/** The ways a link comes about. */

import { describeError, type Findings } from "../findings.ts";
import { judgeRequests } from "../hooks/judge-requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import { LinkFault, type LinkWorld, openLinkWorld, TargetFault } from "./link-world.ts";
import { nameLink, type PlayableLink } from "./list-links.ts";

/** One way, from installs to the status shown. */
export interface LinkWay {
  /** As the end of a sentence about the link. */
  readonly name: string;
  play(link: LinkWorld): Promise<void>;
}

/** Its targets first, then the app with the link. */
export const TARGETS_FIRST: LinkWay = {
  name: "where what it links with is installed first",
  play: async (link) => {
    await link.installTargets();
    await link.installLinked();
    await link.judgeStatus("connected");
  },
};

/** The other ways every link of an app is played. */
export const OTHER_WAYS: readonly LinkWay[] = [
  {
    name: "where its app is installed first, and a person connects it later",
    play: async (link) => {
      link.judgeNotRun(await link.installApp({ links: [] }));
      await link.judgeStatus("not installed");
      await link.connectLater();
      await link.judgeStatus("connected");
    },
  },
  {
    name: "where what it links with is installed together with its app",
    play: async (link) => {
      await link.installAll();
      await link.judgeStatus("connected");
    },
  },
  {
    name: "where a person leaves it out",
    play: async (link) => {
      await link.installTargets();
      link.judgeNotRun(await link.installApp({ links: [] }));
      await link.judgeStatus("installed");
    },
  },
];

/** Plays a link one way; what is not as it has to be is found at its hook. Returns why it could not be tried; null: it was. */
export async function playWay(
  way: LinkWay,
  link: PlayableLink,
  setting: LevelSetting,
  findings: Findings,
): Promise<string | null> {
  const { app, hook } = link;
  const name = nameLink(app, hook);
  setting.doing(`${name}, ${way.name}`);
  const played = await openLinkWorld(link, setting);
  try {
    await way.play(played);
  } catch (error) {
    setting.signal.throwIfAborted();
    if (error instanceof TargetFault) return `${name}: ${error.message}`;
    const why = error instanceof LinkFault ? error.message : describeError(error);
    const index = app.dictionary.hooks.findIndex(({ id }) => id === hook.id);
    findings.add("CHECK_LINK_FAILED", `the ${name} fails ${way.name}: ${why}`, ["hooks", index]);
  } finally {
    judgeRequests(played.world.requests(), app.appId, findings);
    await played.world.close();
  }
  return null;
}
