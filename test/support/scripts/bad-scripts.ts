import { rawHook, rawScript } from "./scripts.ts";

const APPS = { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] };

/** Raw JSON of a script that makes one directory named as the app, with whatever a test changes. */
export function rawApp(appId: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const directory = { path: `$LOCATION(ApplicationsPerformance)/${appId}` };
  return rawScript({ requirements: APPS, ensure_directories_exists: [directory], ...changes });
}

/** Raw JSON of a hook that runs after the install. */
export function rawSetup(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return rawHook({
    id: "setup",
    title: "Set up",
    events: ["onAfterInstall"],
    rerun: undefined,
    timeout: 60,
    ...changes,
  });
}

/** An installation question. */
export function rawQuestion(key: string, type: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { question: `What is ${key}`, key, type, required: true, ...changes };
}

const ASKS = [
  rawQuestion("name", "text"),
  rawQuestion("pass", "password"),
  rawQuestion("count", "number", { required: false }),
  rawQuestion("colour", "select", {
    default: "red",
    options: ["red", "blue"].map((value) => ({ text: value, value })),
  }),
];

/** A catalog of one good app and of one for each fault of a script, by file name. */
export const BAD_SCRIPTS: Readonly<Record<string, unknown>> = {
  "good.json": rawApp("good"),
  "no-json.json": '{\n  "version": 6,\n  "script": { "version": "1.0.0" }\n  "requirements": {}\n}\n',
  "version-3.json": rawApp("version-3", { version: 3 }),
  "unknown-location.json": rawApp("unknown-location", { requirements: { ...APPS, locations: ["Games"] } }),
  "unknown-macro.json": rawApp("unknown-macro", { app_values: { secret: "$RANDOM(20)" } }),
  "undeclared-location.json": rawApp("undeclared-location", { app_values: { path: "$HOST_PATH($LOCATION(Media)/x)" } }),
  "leaves-location.json": rawApp("leaves-location", {
    ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/../x" }],
  }),
  "answered-path.json": rawApp("answered-path", {
    installation_questions: [rawQuestion("folder", "text")],
    ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/$QUESTION(folder)" }],
  }),
  "asks.json": rawApp("asks", {
    installation_questions: ASKS,
    app_values: Object.fromEntries(ASKS.map(({ key }) => [key, `$QUESTION(${key})`])),
  }),
  "movies.json": rawApp("movies", {
    requirements: { ...APPS, locations: ["Movies"] },
    ensure_directories_exists: [{ path: "$LOCATION(Movies)/movies" }],
  }),
  "no-entrypoint.json": rawApp("no-entrypoint", { hooks: [rawSetup({ entrypoint: "start" })] }),
  "syntax.json": rawApp("syntax", { hooks: [rawSetup({ scriptContent: undefined, script: "hooks/broken.ts" })] }),
  "two-dropped.json": rawApp("two-dropped", {
    hooks: ["first", "second"].map((id) => rawSetup({ id, scriptContent: undefined, script: "hooks/broken.ts" })),
  }),
  "hooks/broken.ts": "export async function run(ctx: unknown) {\n  const path = ;\n}\n",
  "throws.json": rawApp("throws", {
    hooks: [
      rawSetup({ scriptContent: 'export async function run() {\n  throw new Error("the library is locked");\n}' }),
    ],
  }),
  "never-ends.json": rawApp("never-ends", {
    hooks: [
      rawSetup({ timeout: 1, scriptContent: "export async function run() {\n  await new Promise(() => {});\n}" }),
    ],
  }),
  "spins.json": rawApp("spins", {
    hooks: [rawSetup({ timeout: 1, scriptContent: "export async function run() {\n  for (;;) {}\n}" })],
  }),
  "asks-age.json": rawApp("asks-age", {
    hooks: [rawSetup({ inputs: [{ id: "age", type: "question", question: rawQuestion("age", "number") }] })],
  }),
};
