/** Compares what the engine keeps of an app with what the host says of it. */
import { explain } from "../codes/codes.ts";
import { createMask, MIN_MASKED_LENGTH } from "../report/mask.ts";
import { listChangedValues, showChange } from "./changed-values.ts";
import type {
  BelievedApp,
  BelievedDirectory,
  DriftFinding,
  DriftProposal,
  InstalledApp,
  SeenApp,
} from "./drift-types.ts";

/** Most findings about the options of one app. */
const VALUES = 50;

type Found = Omit<DriftFinding, "appId" | "title" | "hint" | "proposal"> & { readonly proposal?: DriftProposal | null };

/**
 * The findings about one app; none where the host is as the engine left it. An update helps with most of them. What
 * several directories miss is one.
 */
export function findDrift(app: BelievedApp, seen: SeenApp): readonly DriftFinding[] {
  const believed = seen.installed ? addNewSecrets(app, seen) : app;
  const { appId } = believed;
  const found = seen.installed
    ? [
        ...findVersion(believed, seen),
        ...findValues(believed, seen),
        ...believed.directories.flatMap((directory) => findDirectory(directory, seen)),
        ...findMissing(seen),
        ...findLinks(believed),
      ]
    : [findGone(believed, seen.takenBy)];
  const mask = createMask(believed.secrets);
  return found.map(({ proposal = { method: "update", appId }, subject, expected, found: seenAs, ...finding }) =>
    tell(appId, {
      ...finding,
      // Its directories may be named by a password, on the host too.
      subject: mask(subject),
      ...(expected !== undefined && { expected: mask(expected) }),
      ...(seenAs !== undefined && { found: mask(seenAs) }),
      proposal,
    }),
  );
}

/** The finding about an app that runs on the host as `instance`, and of which the engine keeps nothing. */
export function findUnknown(appId: string, instance: string): DriftFinding {
  return tell(appId, { code: "DRIFT_APP_UNKNOWN", subject: instance, proposal: { method: "adopt", appId } });
}

function tell(appId: string, finding: Omit<DriftFinding, "appId" | "title" | "hint">): DriftFinding {
  const { title, hint } = explain(finding.code);
  return { ...finding, appId, title, hint };
}

function findGone({ appId, instance }: BelievedApp, takenBy: string | null): Found {
  if (takenBy === null) return { code: "DRIFT_APP_GONE", subject: instance, proposal: { method: "install", appId } };
  return { code: "DRIFT_NAME_TAKEN", subject: instance, expected: appId, found: takenBy, proposal: null };
}

function findVersion({ appId, version }: BelievedApp, seen: InstalledApp): Found[] {
  if (version === null || version === seen.version) return [];
  return [{ code: "DRIFT_VERSION", subject: appId, expected: version, found: seen.version }];
}

/**
 * What stands on the host where a secret stood is one too: another value there may hold it as well. A short one would hide
 * values it is in by chance.
 */
function addNewSecrets(believed: BelievedApp, seen: InstalledApp): BelievedApp {
  const secrets = new Set(believed.secrets);
  const found = [...listChangedValues(believed.values, seen.values)].flatMap(({ wanted, live }) => {
    const isSecret = typeof wanted === "string" && secrets.has(wanted);
    return isSecret && typeof live === "string" && live.length >= MIN_MASKED_LENGTH ? [live] : [];
  });
  return { ...believed, secrets: [...secrets, ...found] };
}

function findValues(believed: BelievedApp, seen: InstalledApp): Found[] {
  const changed = [...listChangedValues(believed.values, seen.values).take(VALUES)];
  return changed.map((change) => ({ code: "DRIFT_VALUE", subject: change.field, ...showChange(believed, change) }));
}

/** No task is proposed: it would make anew, empty, what may only not be mounted. */
function findMissing({ directories }: InstalledApp): Found[] {
  const missing = [...directories.values()].flatMap((there) => (there.is === "missing" ? [there.at] : []));
  return [...new Set(missing)].map((at) => ({ code: "DRIFT_DIRECTORY_GONE", subject: at, proposal: null }));
}

function findDirectory({ path, root, owner, shared }: BelievedDirectory, seen: InstalledApp): Found[] {
  const unshared: Found[] =
    shared && !seen.shares.has(path) ? [{ code: "DRIFT_SHARE_GONE", subject: path, proposal: null }] : [];
  const there = seen.directories.get(path);
  if (root || there === undefined) return unshared;
  if (there.is === "missing") return [];
  if (there.is === "replaced") return [{ code: "DRIFT_DIRECTORY_REPLACED", subject: path, proposal: null }];
  const { wanted } = there;
  if (owner === undefined || (wanted?.uid === there.owner.uid && wanted.gid === there.owner.gid)) return unshared;
  const named = owner.group === undefined ? owner.user : `${owner.user}:${owner.group}`;
  const expected = wanted === null ? `${named} (unknown to the host)` : `${named} (${wanted.uid}:${wanted.gid})`;
  const found = `${there.owner.uid}:${there.owner.gid}`;
  // Without the account no task can give it back.
  return [
    { code: "DRIFT_OWNER", subject: path, expected, found, ...(wanted === null && { proposal: null }) },
    ...unshared,
  ];
}

function findLinks({ appId, lostLinks }: BelievedApp): Found[] {
  return lostLinks.map(({ hookId, target }) => {
    return { code: "DRIFT_LINK_LOST", subject: target, proposal: { method: "runAction", appId, hookId } };
  });
}
