import { EngineError } from "../../core/codes/problems.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { findApp } from "../find-app.ts";
import type { HostApp } from "../ports/host-records.ts";
import { refuseUnready, runPreflight } from "../preflight/preflight.ts";
import type { MethodDeps } from "./deps.ts";

/** How the host's catalog offers an app: custom scripts use its generic app (docs/decisions.md, section 4). Throws `HOST_NOT_FOUND`. */
export async function findOfferedApp(
  { host }: Pick<MethodDeps, "host">,
  { appId, custom, metadata }: Dictionary,
): Promise<{ readonly title: string; readonly catalogApp: string; readonly train: string }> {
  if (custom) return { title: metadata?.name ?? appId, catalogApp: "ix-app", train: "stable" };
  const offered = await host.availableApp(appId);
  if (offered === null) {
    throw new EngineError("HOST_NOT_FOUND", `the host's catalog has no app "${appId}"`, { appId });
  }
  return { title: metadata?.name ?? offered.title, catalogApp: offered.catalogApp, train: offered.train };
}

/** Planned checks the specification does not enforce yet ("Requirements object", rule 3): shown, never refused. */
const ADVICE: ReadonlySet<string> = new Set(["HOST_PORT_CONFLICT", "HOST_SPACE_LOW"]);

/** Refuses what can't work on this host before anything is changed; resolves with marks for what may not. */
export async function checkHost(
  { host }: Pick<MethodDeps, "host">,
  plan: Plan,
  locations: HostFacts["locations"],
  catalogApp: string,
): Promise<{ readonly marks: readonly string[]; readonly version: string | undefined }> {
  const { appId, appValues, directories } = plan;
  const report = await runPreflight(host, { appId, catalogApp, appValues, directories, locations });
  const refused = report.faults.filter(({ code }) => !ADVICE.has(code));
  refuseUnready({ ...report, faults: refused }, appId);
  const advice = report.faults.filter(({ code }) => ADVICE.has(code));
  return { marks: advice.map(({ message }) => `advice: ${message}`), version: report.offer?.latestVersion };
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
