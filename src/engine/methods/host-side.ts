import { GENERIC_APP } from "../../core/app-values/generic-app.ts";
import { EngineError, type Failure } from "../../core/codes/problems.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { findApp } from "../find-app.ts";
import type { HostApp, ImageRegistry } from "../ports/host-records.ts";
import { refuseUnready, runPreflight } from "../preflight/preflight.ts";
import { answerIfSoon } from "../standing/answer-promptly.ts";
import type { MethodDeps } from "./deps.ts";

/** How the host's catalog offers an app: custom scripts use its generic app (docs/decisions.md, section 4). Throws `HOST_NOT_FOUND`. */
export async function findOfferedApp(
  { host }: Pick<MethodDeps, "host">,
  { appId, custom, metadata }: Dictionary,
): Promise<{ readonly title: string; readonly catalogApp: string; readonly train: string }> {
  if (custom) return { title: metadata?.name ?? appId, catalogApp: GENERIC_APP, train: "stable" };
  const offered = await host.availableApp(appId);
  if (offered === null) {
    throw new EngineError("HOST_NOT_FOUND", `the host's catalog has no app "${appId}"`, { appId });
  }
  return { title: metadata?.name ?? offered.title, catalogApp: offered.catalogApp, train: offered.train };
}

/**
 * Planned checks the specification does not enforce yet ("Requirements object", rule 3): shown, refused only where the
 * embedder enforces requirements.
 */
const ADVICE: ReadonlySet<string> = new Set(["HOST_PORT_CONFLICT", "HOST_SPACE_LOW", "HOST_REGISTRY_UNREACHABLE"]);

/** The install changes it itself, or goes on without. */
const SEEN_TO: ReadonlySet<string> = new Set(["HOST_SHARES_OFF", "HOST_STEP_OMITTED"]);

/** Ms the host's answer about its registry is good for. */
const REGISTRY_AGE_MS = 60_000;
/** Ms it is waited for: a host that can't reach its registry may take long to say so. */
const REGISTRY_PATIENCE_MS = 2_000;

/** What a check of the host found that refuses nothing. */
export interface HostCheck {
  /** What may not work. */
  readonly advice: readonly Failure[];
  /** The version `app.create` would install. */
  readonly version: string | undefined;
}

/** How the host reaches its registry of images, as far as it says so soon. Never rejects. */
export async function askRegistry({
  answers,
  clock,
}: Pick<MethodDeps, "answers" | "clock">): Promise<ImageRegistry | null> {
  const known = await answerIfSoon(clock, answers.imageRegistry(REGISTRY_AGE_MS), REGISTRY_PATIENCE_MS);
  return known === null || known.of.isStale ? null : known.of.value;
}

/** Refuses what can't work on this host before anything is changed; resolves with what may not. */
export async function checkHost(
  { host, answers, clock, enforceRequirements }: Pick<MethodDeps, "host" | "answers" | "clock" | "enforceRequirements">,
  plan: Plan,
  locations: HostFacts["locations"],
  catalogApp: string,
): Promise<HostCheck> {
  const { appId, appValues, directories } = plan;
  const registry = askRegistry({ answers, clock });
  const report = await runPreflight(host, { appId, catalogApp, appValues, directories, locations, registry });
  const isAdvice = ({ code }: Failure) => SEEN_TO.has(code) || (!enforceRequirements && ADVICE.has(code));
  refuseUnready({ ...report, faults: report.faults.filter((fault) => !isAdvice(fault)) }, appId);
  return { advice: report.faults.filter(isAdvice), version: report.offer?.latestVersion };
}

/** The installed app of a catalog id. Throws `TASK_APP_NOT_INSTALLED`. */
export async function findInstalledApp({ host }: Pick<MethodDeps, "host">, appId: string): Promise<HostApp> {
  const app = findApp(await host.apps(), appId);
  if (app === null) throw createNotInstalledError(appId);
  return app;
}

/** The refusal of what needs an installed app. */
export function createNotInstalledError(appId: string): EngineError {
  return new EngineError("TASK_APP_NOT_INSTALLED", `"${appId}" is not installed`, { appId });
}
