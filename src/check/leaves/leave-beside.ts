/** An app that goes while another one stays, and the other after it. */
import { listDeclaredPairings } from "../../core/hooks/pairings.ts";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { Findings } from "../findings.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import type { World } from "../world/worlds.ts";
import { excuse, install, uninstall } from "./come-and-go.ts";
import { findShared, resolveDeclared } from "./directories.ts";
import { findAdded, findChanged, lookAtHost, type Trace } from "./host-sight.ts";
import { nameAppData, putAppData } from "./put-data.ts";

/**
 * Uninstalls an app with its data beside another, which goes on and says so of its links, then the other: of what both have
 * declared nothing is left. Nothing is found where the other one does not come or go by itself.
 */
export async function leaveBeside(
  app: PlayedApp,
  neighbour: PlayedApp,
  setting: LevelSetting,
  findings: Findings,
): Promise<void> {
  const [own, other] = [keepLinks(app), keepLinks(neighbour)];
  const world = await setting.worlds.open(own, NO_TABLE, { beside: [{ app: other, fake: NO_TABLE }] });
  try {
    const before = lookAtHost(world);
    const random = createSeededRandom(setting.seed);
    const requests = [own, other].map(({ dictionary }) => buildInstallRequest(dictionary, random));
    for (const [index, { appId }] of [own, other].entries()) {
      if ((await install(world, appId, requests[index] ?? {}, setting)) !== null) return;
      await putAppData(world, appId);
    }
    const both = lookAtHost(world);
    const facts = await world.host.facts();
    const [declared = [], theirs = []] = [own, other].map(({ dictionary }, index) =>
      resolveDeclared(dictionary, facts, requests[index]?.answers ?? {}),
    );
    const gone = await uninstall(world, own.appId, { keepData: false }, setting, findings);
    if (gone === null) return;
    await judgeLinks(world, own.appId, other.appId, findings);
    const taken = findChanged(both, lookAtHost(world)).find(
      ({ at }) => theirs.includes(at) || at.endsWith(`/${nameAppData(other.appId)}`),
    );
    const shared = findShared(declared, theirs);
    const path = shared === null ? null : declared[shared];
    if (shared === null || path === null || path === undefined) {
      const text = `the ${taken?.kind} "${taken?.at}" of "${other.appId}" is gone or changed after an uninstall beside it`;
      if (taken !== undefined) findings.add("CHECK_DATA_LOST", text, []);
      return;
    }
    const tell = ({ kind, at }: Trace, how: string): void => {
      const text = `"${path}" is a directory of "${other.appId}" too: the ${kind} "${at}" ${how}`;
      findings.add("CHECK_DIRECTORY_SHARED", text, ["ensure_directories_exists", shared]);
    };
    if (taken !== undefined) return tell(taken, "goes or changes where only one is uninstalled with its data");
    const last = await uninstall(world, other.appId, { keepData: false }, setting, new Findings(other));
    if (last === null) return;
    const left = findAdded(before, lookAtHost(world)).find(
      (trace) => isAtOrBelow(trace.at, path) && excuse(trace, gone) === null && excuse(trace, last) === null,
    );
    if (left !== undefined) tell(left, "is left where both are uninstalled with their data");
  } finally {
    await world.close();
  }
}

/** The other app's panel says that the app is gone. */
async function judgeLinks({ engine }: Pick<World, "engine">, appId: string, other: string, findings: Findings) {
  const pairings = (await engine.app(other))?.pairings ?? [];
  const wrong = pairings.find(({ target, status }) => target.appId === appId && status !== "not installed");
  if (wrong === undefined) return;
  const text = `"${other}" shows its link "${wrong.hookId}" with the app as ${wrong.status} after the uninstall`;
  findings.add("CHECK_UNINSTALL_FAILED", text, []);
}

/** The app with no hooks but those that link it. */
function keepLinks(app: PlayedApp): PlayedApp {
  const hooks = listDeclaredPairings(app.dictionary).map(({ hook }) => hook);
  return { ...app, dictionary: { ...app.dictionary, hooks, widgets: [] } };
}
