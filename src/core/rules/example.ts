/** Builds the bad and good examples of the rule table: a smallest valid script with one part replaced. */

type Part = Record<string, unknown>;

const SCRIPT: Part = { version: 6, script: { version: "1.0.0" }, requirements: {}, app_values: {} };

const HOOK5: Part = {
  id: "setup",
  event: "onAfterInstall",
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
};

const HOOK6: Part = {
  id: "setup",
  title: "Set up",
  rerun: "converge",
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
};

const WIDGET: Part = {
  id: "tile",
  title: "Tile",
  scriptContent: "export async function run(ctx) { return { fields: {} }; }",
  entrypoint: "run",
};

/** A script; a part that is `undefined` takes the key out. */
export function makeScript(part: Part = {}): string {
  return JSON.stringify({ ...SCRIPT, ...part }, null, 2);
}

/** A version 5 script with one hook. */
export function makeHook5(part: Part = {}): string {
  return makeScript({ version: 5, hooks: [{ ...HOOK5, ...part }] });
}

/** A version 6 script with one hook for each part, with one without any. */
export function makeHook(first: Part = {}, ...rest: Part[]): string {
  const parts = [first, ...rest];
  return makeScript({ hooks: parts.map((part) => ({ ...HOOK6, ...part })) });
}

/** A version 6 script with one widget. */
export function makeWidget(part: Part = {}): string {
  return makeScript({ widgetsSchema: 2, widgets: [{ ...WIDGET, ...part }] });
}

/** A script with one question, which its values use. */
export function makeQuestion(part: Part = {}, rest: Part = {}): string {
  const question = { question: "Name?", type: "text", key: "name", ...part };
  return makeScript({
    installation_questions: [question],
    app_values: { name: `$QUESTION(${question.key})` },
    ...rest,
  });
}

/** A script with one directory entry. */
export function makeDirectory(part: Part = {}): string {
  return makeScript({
    requirements: { locations: ["Media"] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/example", ...part }],
    app_values: { media: "$HOST_PATH($LOCATION(Media))" },
  });
}

/** A hook of a lifecycle event only. */
export const LIFECYCLE_ONLY = { events: ["onAfterInstall"], rerun: undefined } as const;
