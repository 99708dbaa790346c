/** What a run has come to, so that two runs can be compared: without ids, times and the one address that differ. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { HOST_CALLS } from "../../src/adapters/host-rpc/host-calls.ts";
import { openReader } from "../../src/adapters/store-sqlite/open-store.ts";
import type { FailureDetail } from "../../src/core/codes/problems.ts";
import type { TaskView } from "../../src/engine/api.ts";
import { readPlan } from "../../src/engine/read-plan.ts";
import type { UpgradePolicies } from "../../src/engine/requests.ts";
import { viewTree } from "../../src/engine/runtime/views.ts";
import { readPolicies } from "../../src/engine/schedule/policies.ts";
import { deriveAppState } from "../../src/standin/apps/entry.ts";
import type { SnapshotRecord } from "../../src/standin/host-state.ts";
import type { RecordedCall } from "../../src/standin/settings.ts";
import type { StandinHost } from "../../src/standin/standin.ts";

/** Generated strings, by task, app and place. */
export type Generated = Readonly<Record<string, string>>;

/** The end of a run in comparable form. */
export interface End {
  readonly tasks: unknown;
  /** `create` and `mutate` calls, as often as the host got them. */
  readonly calls: readonly string[];
  readonly host: unknown;
  readonly files: readonly string[];
  readonly policies: UpgradePolicies;
}

/** Reads the end of a run from its database and its stand-in, neither of which the engine's process holds any more. */
export function readEnd(db: string, standin: StandinHost): End {
  const { state, calls } = standin.control;
  const names = new Map(Object.entries(readGenerated(db)).map(([place, text]) => [text, `<${place}>`]));
  const plain = (value: unknown): unknown => canonical(value, (text) => names.get(text) ?? plainText(text));
  return {
    tasks: plain(readTasks(db).map(withoutIdentity)),
    calls: calls()
      .filter((call) => changesHost(call) && !isProof(JSON.stringify(call.params)))
      .map(({ method, params }) => JSON.stringify(plain([method, params])))
      .sort(),
    host: plain(hostEnd(state())),
    files: readdirSync(join(standin.dir, "mnt"), { recursive: true, encoding: "utf8" }).map(plainText).sort(),
    policies: readKeptPolicies(db),
  };
}

function readKeptPolicies(db: string): UpgradePolicies {
  const reader = openReader(db);
  try {
    return readPolicies(reader);
  } finally {
    reader.close();
  }
}

/** The task trees of a database nobody holds, by kind and app. */
export function readTasks(db: string): readonly TaskView[] {
  const reader = openReader(db);
  try {
    const roots = reader.rootTrees().map((tree) => viewTree(tree[0], tree));
    return roots.toSorted((a, b) => `${a.kind} ${a.appId}`.localeCompare(`${b.kind} ${b.appId}`));
  } finally {
    reader.close();
  }
}

/** Every generated string of every stored plan. */
export function readGenerated(db: string): Generated {
  const reader = openReader(db);
  try {
    return Object.fromEntries(
      reader
        .rootTrees()
        .flatMap(([{ id, kind }]) =>
          Object.values(readPlan(reader, id).apps).flatMap(({ appId, randoms }) =>
            Object.entries(randoms).map(([place, text]) => [`${kind} ${appId} ${place}`, text]),
          ),
        ),
    );
  } finally {
    reader.close();
  }
}

/**
 * Tasks nothing would ever move again: neither an effect, a timer, mail, a person, a child nor a parent whose turn it
 * waits for. Empty in every database, at whatever moment its engine died.
 */
export function readStranded(db: string): readonly unknown[] {
  const database = new Database(db, { readonly: true });
  try {
    return database
      .prepare(
        `SELECT machine, app_id, hook_id, state FROM tasks AS task
          WHERE kind <> 'checkpoint' AND quarantine IS NULL
            AND state NOT IN ('COMPLETED', 'SKIPPED', 'DISMISSED', 'CANCELLED')
            AND state NOT IN ('AWAITING_INPUT', 'AWAITING_RETRY', 'FAILED')
            AND NOT EXISTS (SELECT 1 FROM effects WHERE effects.task = task.id AND effects.state = 'intent')
            AND NOT EXISTS (SELECT 1 FROM timers WHERE timers.task = task.id)
            AND NOT EXISTS (SELECT 1 FROM mail WHERE recipient = task.id)
            AND NOT EXISTS (SELECT 1 FROM tasks AS child WHERE child.parent = task.id AND child.kind <> 'checkpoint'
              AND child.state NOT IN ('COMPLETED', 'SKIPPED', 'DISMISSED', 'CANCELLED')
              AND (child.state <> 'PENDING' OR EXISTS (SELECT 1 FROM mail WHERE recipient = child.id)))
            AND NOT (state = 'PENDING' AND EXISTS (SELECT 1 FROM tasks AS parent WHERE parent.id = task.parent
              AND parent.state NOT IN ('COMPLETED', 'SKIPPED', 'DISMISSED', 'CANCELLED')))`,
      )
      .all();
  } finally {
    database.close();
  }
}

/** Without what no two runs have alike: ids and times. */
function withoutIdentity(task: TaskView): unknown {
  const {
    id: _id,
    parent: _parent,
    created: _created,
    updated: _updated,
    revision: _revision,
    waitingFor,
    steps,
    checkpoints,
    failure,
    ...shown
  } = task;
  return {
    ...shown,
    ...(failure !== undefined && { failure: { ...failure, context: failure.context.map(withoutMoment) } }),
    steps: steps.map(({ began: _began, ended: _ended, ...step }) => step),
    checkpoints: checkpoints.map(({ created: _created, updated: _updated, ...checkpoint }) => checkpoint),
    ...(waitingFor !== undefined && { waitingFor: waitingFor.kind }),
    children: task.children.map(withoutIdentity),
  };
}

/** An app that was started is on its way up or is up, whenever it is looked at. */
function withoutMoment(detail: FailureDetail): FailureDetail {
  return detail.label === "state now" && detail.value === "DEPLOYING" ? { ...detail, value: "RUNNING" } : detail;
}

/** Of a folder by which an uninstall sees that it has the host's: it is made as often as needed, and goes. */
function isProof(text: string): boolean {
  return text.includes("/.slipway-");
}

function changesHost({ method }: RecordedCall): boolean {
  const known: Readonly<Record<string, { readonly class: string }>> = HOST_CALLS;
  const found = known[method]?.class;
  return found === "create" || found === "mutate";
}

function hostEnd({ datasets, snapshots, shares, ownership, apps }: ReturnType<StandinHost["control"]["state"]>) {
  return {
    datasets,
    snapshots: snapshots
      .map(({ dataset, name, properties }) => ({ dataset, name, properties }))
      .toSorted((a, b) => snapshotOrder(a).localeCompare(snapshotOrder(b))),
    shares: shares.map(({ id: _, ...share }) => share).toSorted((a, b) => a.path.localeCompare(b.path)),
    ownership: Object.fromEntries(Object.entries(ownership).filter(([path]) => !isProof(path))),
    apps: Object.values(apps)
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ containers, ...app }) => ({ ...app, state: deriveAppState(containers).replace("DEPLOYING", "RUNNING") })),
  };
}

/** By what they are of and for: their names hold the moment. */
function snapshotOrder({ dataset, properties }: Pick<SnapshotRecord, "dataset" | "properties">): string {
  return JSON.stringify([dataset, properties]);
}

/** The stand-in's own address, and the moment in a snapshot's name. */
function plainText(text: string): string {
  return text.replaceAll(/127\.\d+\.\d+\.\d+/g, "<lan>").replaceAll(/\d{8}T\d{6}Z/g, "<moment>");
}

/** A deep copy with sorted keys and every text replaced, keys too: names of datasets hold a moment. */
function canonical(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => canonical(item, replace));
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, item]) => [replace(key), canonical(item, replace)]),
  );
}
