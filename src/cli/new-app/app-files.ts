import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SCENARIOS_ENDS } from "../../adapters/catalog/list-scripts.ts";
import { buildScenarioJsonSchema } from "../../check/scenarios/scenario-file.ts";
import type { Json } from "../../core/json/json.ts";
import { buildScriptJsonSchema } from "../../core/script/script-json-schema.ts";
import { buildAppScript, SCHEMA_FILE } from "./app-script.ts";
import { writeHookSource, writeWidgetSource } from "./app-sources.ts";
import type { NewApp } from "./new-app.ts";

/** A file to be written, by its path in the catalog. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  /** Of every app of the catalog: one that is there stays as it is. */
  readonly shared: boolean;
}

const TYPES_FILE = ".slipway/hook-api.d.ts";
const SCENARIO_TYPES_FILE = ".slipway/check-api.d.ts";

/** All files of a new app: its script, its TypeScript with a project, its fake, and what the editor needs. */
export function listAppFiles(app: NewApp): readonly NewFile[] {
  const { appId, hook, widget } = app;
  const own = (path: string, text: string): NewFile => ({ path, text, shared: false });
  return [
    own(`${appId}.json`, printJson(buildAppScript(app))),
    ...(hook ? [own(`${appId}/set-up.ts`, writeHookSource(app))] : []),
    ...(widget ? [own(`${appId}/overview.ts`, writeWidgetSource(app))] : []),
    ...(hook || widget ? [own(`${appId}/tsconfig.json`, printJson(buildProject(appId)))] : []),
    own(`standin/${appId}.json`, printJson(buildFake(app))),
    { path: SCHEMA_FILE, text: printJson(buildScriptJsonSchema()), shared: true },
    { path: ".slipway/check.schema.json", text: printJson(buildScenarioJsonSchema()), shared: true },
    { path: TYPES_FILE, text: readFileSync(HOOK_API, "utf8"), shared: true },
    { path: SCENARIO_TYPES_FILE, text: readFileSync(CHECK_API, "utf8"), shared: true },
  ];
}

const HOOK_API = fileURLToPath(new URL("../../../sandbox/hook-api.d.ts", import.meta.url));

const CHECK_API = fileURLToPath(new URL("../../check/scenarios/check-api.d.ts", import.meta.url));

/** The app's own TypeScript, and its scenarios once there are any. */
function buildProject(appId: string): Json {
  return {
    compilerOptions: {
      lib: ["esnext"],
      types: [],
      target: "esnext",
      module: "preserve",
      allowImportingTsExtensions: true,
      strict: true,
      noEmit: true,
    },
    include: ["./**/*.ts", `../${appId}${SCENARIOS_ENDS.typescript}`, `../${TYPES_FILE}`],
  };
}

/** What the app answers to what its hook and widget ask. */
function buildFake({ name, hook, widget }: NewApp): Json {
  const rows = [
    ...(hook ? [{ method: "GET", path: "/health", body: { ok: true } }] : []),
    ...(hook ? [{ method: "PUT", path: "/api/settings", body: { saved: true } }] : []),
    ...(widget ? [{ method: "GET", path: "/api/status", body: { items: 3 } }] : []),
  ];
  return { answers: rows.length > 0 ? rows : [{ method: "GET", path: "/", body: name }] };
}

function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
