/** Plays an export on this box. */
import type { ImportInput } from "../../../../machines/import/types.ts";
import { createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { ImportPreview, LeftOutOfImport, TaskView } from "../../api.ts";
import type { SecretSeal } from "../../move/seal-secrets.ts";
import type { ImportRequest } from "../../requests.ts";
import { hasPolicies, readPolicies, refuseFaultyPolicies } from "../../schedule/policies.ts";
import { dropOffers } from "../../vault/offers.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { joinPlans, listOnce } from "../join-plans.ts";
import { freeClaims, refuseChange, refuseConflict } from "../request/request.ts";
import { type OpenedExport, openExport } from "./open-export.ts";
import { planImport } from "./plan-import.ts";

/** Held by an import: one is at work at a time. */
const CLAIM = "import";

/** Most parts that are left out of which a task or an error tells. */
const MOST_TOLD = 50;

/** What an import would do; nothing is changed. Throws as `openExport` does. */
export async function previewImport(
  deps: MethodDeps,
  seal: SecretSeal,
  request: ImportRequest,
): Promise<ImportPreview> {
  const opened = await openExport(seal, request);
  const { locations } = await deps.host.facts();
  const { apps, links, leftOut } = await planImport(deps, opened, { isPreview: true });
  const { file } = opened;
  return {
    made: file.made,
    apps,
    links: links.map(({ runsOnAppId, hookId, targets }) => ({ runsOnAppId, hookId, targets })),
    leftOut,
    missingLocations: Object.keys(file.locations).filter((id) => !Object.hasOwn(locations, id)),
    policies: describePolicies(deps, opened),
  };
}

/**
 * Starts the import of what is not here yet. Throws as `openExport` does, `TASK_CONFLICT` while another one is at work, and
 * `IMPORT_NONE` where nothing can be done.
 */
export async function importApps(deps: ChangeDeps, seal: SecretSeal, request: ImportRequest): Promise<TaskView> {
  refuseSecond(deps);
  const opened = await openExport(seal, request);
  const { parts, leftOut } = await planImport(deps, opened, { isPreview: false });
  const isSettingPolicies = describePolicies(deps, opened) === "set";
  if (parts.length === 0 && !isSettingPolicies) throw createNoneError(leftOut);
  // Asked again: something may have begun meanwhile, and a refused request leaves every plan as it is.
  refuseSecond(deps);
  for (const { child } of parts) (child.phase === "import" ? refuseConflict : refuseChange)(deps, child.appId);
  freeClaims(
    deps,
    parts.flatMap(({ child: { claim } }) => claim ?? []),
  );
  const input: ImportInput = {
    appId: "",
    title: "Import apps",
    children: parts.map(({ child }) => child),
    marks: listMarks(leftOut),
    ...(isSettingPolicies && { policies: toJsonObject(opened.file.policies) }),
  };
  const task = deps.runtime.start(
    {
      machine: "import",
      input: toJsonObject(input),
      kind: "import",
      appId: "",
      claim: CLAIM,
      plan: toJsonObject(joinPlans(parts.map(({ prepared }) => prepared.plan))),
      secrets: Object.assign({}, ...parts.map(({ prepared }) => prepared.secrets)),
      scripts: listOnce(parts.flatMap(({ prepared }) => prepared.scripts)),
    },
    deps.deed,
  );
  dropOffers(
    deps,
    parts.map(({ child }) => child.appId),
  );
  return task;
}

function refuseSecond({ store }: Pick<MethodDeps, "store">): void {
  const taskId = store.holder(CLAIM);
  if (taskId !== null) throw createClaimHeldError(taskId, "an import");
}

/** Policies of this box stay; those of the file are set where there are none, and can be read. */
function describePolicies({ store }: MethodDeps, { file: { policies } }: OpenedExport): ImportPreview["policies"] {
  if (!hasPolicies(policies)) return "none";
  refuseFaultyPolicies(policies);
  return hasPolicies(readPolicies(store)) ? "kept" : "set";
}

/** The first of what is left out: marks are kept with every step of the task, and a file may name thousands. */
function listMarks(leftOut: readonly LeftOutOfImport[]): readonly string[] {
  const rest = leftOut.length - MOST_TOLD;
  const marks = leftOut.slice(0, MOST_TOLD).map(toMark);
  return rest > 0 ? [...marks, `leftOut: ${rest} more parts of the export, which its preview lists`] : marks;
}

function toMark({ hookId, message }: LeftOutOfImport): string {
  return hookId === undefined ? `leftOut: ${message}` : `linkDropped: ${message}`;
}

function createNoneError(leftOut: readonly LeftOutOfImport[]): EngineError {
  const why = leftOut
    .slice(0, MOST_TOLD)
    .map(({ message }) => message)
    .join("; ");
  const message = why === "" ? "everything in the export is here" : `nothing can be imported now: ${why}`;
  return new EngineError("IMPORT_NONE", message);
}
