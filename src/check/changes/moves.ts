/** Between which versions of an app its upgrade hooks are tried, so that each fires and, where it has a range, once does not. Pure. */
import Range from "semver/classes/range.js";
import SemVer from "semver/classes/semver.js";
import parse from "semver/functions/parse.js";
import { selectDueHooks } from "../../core/hooks/hook-selection.ts";
import type { Dictionary, Hook } from "../../core/script/dictionary.ts";

/** An upgrade by its two versions: of a custom app those of its metadata, of others those of the host's package. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Any two versions, for hooks without a range. */
const PLAIN: readonly string[] = ["1.2.0", "1.3.0"];
/** Bounds of ranges that are tried together: every pair of what lies around them is. */
const MOST_BOUNDS = 12;
/** Upgrades of one app. */
const MOST_MOVES = 6;

/** The ids of the hooks an upgrade fires, in order. */
export function listFired({ hooks }: Pick<Dictionary, "hooks">, move: Move): readonly string[] {
  const events = ["onBeforeUpgrade", "onAfterUpgrade"] as const;
  return events.flatMap((event) => selectDueHooks(hooks, { event, consents: {}, ...move }).map(({ hook }) => hook.id));
}

/** The upgrades in which the hooks fire differently, as few as do; none are needed where no hook runs at upgrades. */
export function chooseMoves(dictionary: Dictionary): readonly Move[] {
  const chosen: Move[] = [];
  const seen = new Set<string>();
  const upgraded = dictionary.hooks.filter(runsAtUpgrades);
  const moves = listMoves(dictionary).map((move) => {
    const fired = listFired({ hooks: upgraded }, move);
    return { move, shows: upgraded.map(({ id }) => `${id} ${fired.includes(id)}`) };
  });
  for (; chosen.length < MOST_MOVES; ) {
    const news = (one: { readonly shows: readonly string[] }) => one.shows.filter((show) => !seen.has(show)).length;
    const [best] = moves.toSorted((a, b) => news(b) - news(a));
    if (best === undefined || news(best) === 0) break;
    chosen.push(best.move);
    for (const show of best.shows) seen.add(show);
  }
  return chosen;
}

/** The hooks that run at upgrades by what they declare, and that none fires. */
export function findNeverFired(dictionary: Dictionary): readonly Hook[] {
  return dictionary.hooks.filter((hook) => {
    const alone = { ...dictionary, hooks: [hook] };
    return runsAtUpgrades(hook) && listMoves(alone).every((move) => listFired(alone, move).length === 0);
  });
}

function runsAtUpgrades({ triggers }: Hook): boolean {
  return triggers.some(({ event }) => event === "onBeforeUpgrade" || event === "onAfterUpgrade");
}

/** Every upgrade between the versions at which something may change; a custom app's leads to its own version. */
function listMoves(dictionary: Dictionary): readonly Move[] {
  const own = dictionary.custom ? parse(dictionary.metadata?.version) : null;
  const versions = listVersions(dictionary.hooks, own);
  return versions.flatMap((from) =>
    versions.flatMap((to) =>
      from.compare(to) < 0 && (own === null || to.compare(own) === 0) ? [{ from: from.version, to: to.version }] : [],
    ),
  );
}

function listVersions(hooks: readonly Hook[], own: SemVer | null): readonly SemVer[] {
  const ranges = hooks.flatMap(({ triggers }) =>
    triggers.flatMap((trigger) => (trigger.event === "userAction" ? [] : [trigger.from, trigger.to])),
  );
  const bounds = ranges.flatMap((range) => (range === undefined ? [] : listBounds(range)));
  const named = PLAIN.flatMap((version) => parse(version) ?? []);
  const bounded = listOnce([...(own === null ? [] : [own]), ...bounds]).slice(0, MOST_BOUNDS);
  return listOnce([...named, ...bounded.flatMap(listAround)]).toSorted((a, b) => a.compare(b));
}

function listOnce(versions: readonly SemVer[]): readonly SemVer[] {
  return [...new Map(versions.map((version) => [version.version, version])).values()];
}

/** The versions a range begins or ends at. */
function listBounds(range: string): readonly SemVer[] {
  return new Range(range, { includePrerelease: true }).set.flat().flatMap(({ semver }) => {
    // a comparator of `*` has none
    return semver instanceof SemVer ? (parse(`${semver.major}.${semver.minor}.${semver.patch}`) ?? []) : [];
  });
}

/** A version with those next to it. */
function listAround(version: SemVer): readonly SemVer[] {
  const { major, minor, patch } = version;
  const below =
    patch > 0 ? [major, minor, patch - 1] : minor > 0 ? [major, minor - 1, 0] : [Math.max(0, major - 1), 0, 0];
  const others = [below, [major, minor, patch + 1], [major, minor + 1, 0], [major + 1, 0, 0]];
  return [version, ...others.flatMap((parts) => parse(parts.join(".")) ?? [])];
}
