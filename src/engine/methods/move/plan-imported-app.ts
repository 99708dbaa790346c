/** One app of an export on this box: left as it is, adopted, or installed. */
import type { PlannedChild } from "../../../../machines/lifecycle/planned-child.ts";
import { isEqual } from "../../../core/json/is-equal.ts";
import type { Json } from "../../../core/json/json.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { ImportedApp } from "../../api.ts";
import type { ExportedApp } from "../../move/export-file.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";
import { prepareAdoption } from "../adopt/adopt.ts";
import { previewAdopt } from "../adopt/preview-adopt.ts";
import type { MethodDeps } from "../deps.ts";
import { type PreparedInstall, prepareInstall } from "../request/prepare-install.ts";
import { refuseProblems, requireUsableApp } from "../request/request.ts";
import { refuseIncompatible } from "../upgrade/refuse-incompatible.ts";

/** An app or link that has its turn in the import. */
export interface PlannedPart {
  readonly child: PlannedChild;
  readonly prepared: Pick<PreparedInstall, "plan" | "secrets" | "scripts">;
}

/** An app of the import; one that stays as it is has no part. */
export interface PlannedApp {
  readonly app: ImportedApp;
  readonly part?: PlannedPart;
}

/** An app this engine looks after stays as it is, whatever the file says. */
export async function leaveAsIs(deps: MethodDeps, { appId, script }: ExportedApp): Promise<PlannedApp> {
  const { name } = await deps.labels.of(appId, deps.view());
  return { app: { appId, name, how: "present", script: { exported: script.version }, unused: [] } };
}

/**
 * An app installed by other means is adopted as it runs: the file's answers and generated strings stand in for those its
 * configuration does not tell. Throws as `adopt` does, and `TASK_UPDATE_INCOMPATIBLE`.
 */
export async function planAdoption(
  deps: MethodDeps,
  app: ExportedApp,
  choices: KeptChoices,
  given: ExportedApp["answers"],
): Promise<PlannedApp> {
  const { appId } = app;
  const { dictionary, entry } = requireUsableApp(deps, appId);
  refuseIncompatible(dictionary, app.script.version);
  const { taken, unused } = pickDeclared(dictionary, choices.answers);
  const { preview: found } = await previewAdopt(deps, appId, {});
  const fromExport = found.unknown
    .map(({ key }) => key)
    .filter((key) => Object.hasOwn(taken, key) && !Object.hasOwn(given, key));
  const answers = { ...pick(taken, fromExport), ...given };
  const previewed = await previewAdopt(deps, appId, { answers }, choices.randoms);
  refuseProblems(appId, previewed.preview.problems);
  const { input, plan } = await prepareAdoption(deps, previewed, { waitsForTurn: true });
  const { recovered } = previewed.examined.adoption;
  return {
    app: {
      appId,
      name: previewed.preview.name,
      how: "adopt",
      script: describeScript(app, dictionary, entry.sha256),
      unused,
      adopted: {
        fromExport,
        other: Object.keys(recovered).filter(
          (key) => Object.hasOwn(taken, key) && !isEqual(taken[key] ?? null, recovered[key] ?? null),
        ),
        unknown: previewed.preview.unknown.map(({ key }) => key),
      },
    },
    part: {
      prepared: { plan, secrets: {}, scripts: [] },
      child: { ...toChild(appId, "adopt"), input: toJsonObject(input) },
    },
  };
}

/** An app that is not here is installed as it was set up there. Throws as `prepareInstall` does, and `TASK_UPDATE_INCOMPATIBLE`. */
export async function planInstall(
  deps: MethodDeps,
  app: ExportedApp,
  choices: KeptChoices,
  facts: HostFacts,
  isPreview: boolean,
): Promise<PlannedApp> {
  const { appId } = app;
  const { dictionary, entry } = requireUsableApp(deps, appId);
  refuseIncompatible(dictionary, app.script.version);
  const { taken, unused } = pickDeclared(dictionary, choices.answers);
  const prepared = await prepareInstall(
    deps,
    appId,
    { answers: taken, consents: pickConsents(dictionary, app) },
    facts,
    {
      mode: "install",
      kept: { ...choices, answers: {} },
      waitsForTurn: true,
      isPreview,
    },
  );
  return {
    app: {
      appId,
      name: prepared.input.title,
      how: "install",
      script: describeScript(app, dictionary, entry.sha256),
      unused,
    },
    part: {
      prepared,
      child: { ...toChild(appId, "install"), input: toJsonObject({ ...prepared.input, isImported: true }) },
    },
  };
}

/** The answers the script asks for, and the keys of those it does not ask for any more. */
export function pickDeclared({ questions }: Dictionary, answers: ExportedApp["answers"]) {
  const declared = new Set(questions.map(({ key }) => key));
  const keys = Object.keys(answers);
  return {
    taken: pick(
      answers,
      keys.filter((key) => declared.has(key)),
    ),
    unused: keys.filter((key) => !declared.has(key)),
  };
}

export function pickConsents({ hooks }: Dictionary, { consents }: ExportedApp): ExportedApp["consents"] {
  const asked = new Set(hooks.flatMap(({ id, userOptional }) => (userOptional === undefined ? [] : [id])));
  return Object.fromEntries(Object.entries(consents).filter(([id]) => asked.has(id)));
}

function toChild(appId: string, kind: "install" | "adopt") {
  return { id: appId, phase: "import", machine: kind, kind, appId, claim: toAppClaim(appId) } as const;
}

function describeScript({ script }: ExportedApp, dictionary: Dictionary, sha256: string): ImportedApp["script"] {
  const isSame = script.sha256 === undefined ? {} : { isSame: script.sha256 === sha256 };
  return { exported: script.version, here: dictionary.script.version, ...isSame };
}

function pick(answers: ExportedApp["answers"], keys: readonly string[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(keys.map((key) => [key, answers[key] ?? null]));
}
