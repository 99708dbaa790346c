import type { Dictionary, Hook } from "../../../src/core/script/dictionary.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";

/** Raw JSON of a version 6 hook that a person can press, with whatever a test changes. */
export function rawHook(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "connect",
    title: "Connect",
    rerun: "converge",
    scriptContent: "export async function run() {}",
    entrypoint: "run",
    ...changes,
  };
}

/** A condition of the given type on an app. */
export function on(app: string, type = "appInstalled", role = "visibility"): Record<string, unknown> {
  return { role, type, app };
}

/** Raw JSON of a sound install script. */
export function rawScript(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: 6,
    script: { version: "1.0.0" },
    requirements: { locations: [], specifications: [], permissions: [], ports: [] },
    app_values: {},
    ...changes,
  };
}

/** Parses a script with these hooks; throws where the script itself is refused. */
export function dictionaryOf(appId: string, changes: Record<string, unknown> = {}): Dictionary {
  const { dictionary, problems } = parseDictionary({ appId, text: JSON.stringify(rawScript(changes)) });
  if (dictionary === null) throw new Error(`${appId}: ${problems.map(({ message }) => message).join("; ")}`);
  return dictionary;
}

/** The dictionary of an app with one hook, and that hook; throws where the hook was dropped. */
export function hookOf(appId: string, changes: Record<string, unknown> = {}): Hook {
  const text = JSON.stringify(rawScript({ hooks: [rawHook(changes)] }));
  const { dictionary, problems } = parseDictionary({ appId, text });
  const [hook] = dictionary?.hooks ?? [];
  if (hook === undefined) throw new Error(`${appId}: ${problems.map(({ message }) => message).join("; ")}`);
  return hook;
}

/** A whole `pin` flow of a provider that does not exist. */
export const PIN_FLOW = {
  type: "pin",
  pinUrl: "https://provider.test/pins",
  authUrl: "https://provider.test/auth?client={clientId}&code={code}",
  pollUrl: "https://provider.test/pins/{pinId}",
  clientId: "slipway",
  tokenField: "authToken",
  headers: {},
};

/** An input of a hook that a person has to answer, and a script that fails where the answer is "fail". */
export const WISH = {
  type: "question",
  id: "wish",
  question: { question: "Wish?", type: "text", key: "wish", required: true },
};
export const FAILS_AS_WISHED = `export async function run(ctx) {
  if (ctx.inputs.wish === "fail") ctx.fail("as wished");
}`;
