import type { PairingLinked } from "../../../src/engine/ports/environment.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import type { EngineWorld } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

/** A hook of "demo" that links "other" and writes down its address. */
export const link = (changes: Record<string, unknown> = {}) =>
  rawHook({
    conditions: [on("other")],
    scriptContent: `export async function run(ctx) { ctx.log(String(await ctx.getInstalledAppUrl("other"))); }`,
    ...changes,
  });

const withPort = (port: number) => ({
  app_values: { network: { web_port: { bind_mode: "published", port_number: port } } },
});

export interface LinkingDemo extends EngineWorld {
  /** What the embedder was told, in order. */
  readonly told: readonly PairingLinked[];
}

/** The catalog's "demo" has these hooks; "other" answers on port 9000, "third" declares nothing; none is installed. */
export async function openDemo(
  hooks: readonly unknown[],
  engine: Record<string, unknown> = {},
  host = {},
  catalog = {},
): Promise<LinkingDemo> {
  const told: PairingLinked[] = [];
  const world = await openWorld({
    catalog: { demo: { hooks }, other: withPort(9000), third: {}, ...catalog },
    engine: { onNotification: (news) => void (news.type === "pairing.linked" && told.push(news)), ...engine },
    host,
  });
  return { ...world, told };
}

/** An app whose configuration shows the answer it was given. */
export const ASKED = { app_values: { ...withPort(9000).app_values, team: "$QUESTION(team)" } };

/** What an install of "demo" asks for to have it linked with "other". */
export const SELECTED = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };

const question = (id: string, key: string) => ({
  type: "question",
  id,
  question: { question: `${key}?`, type: "text", key, required: true },
});

/** A hook of the install that asks for an account and a place. */
export const signIn = {
  id: "sign-in",
  title: "Sign in",
  events: ["onAfterInstall"],
  inputs: [question("account", "account"), question("region", "place")],
  entrypoint: "run",
  scriptContent: "export async function run() {}",
};

const LOGS = `export async function run(ctx) { ctx.log(ctx.getInput("account") + " " + ctx.getInput("location")); }`;

/** What a link changes to ask for the same account and place. */
export const asking = { inputs: [question("account", "user"), question("location", "place")], scriptContent: LOGS };

/** The answers "sign-in" wants. */
export const GIVEN = { inputs: { "sign-in": { account: "ada", region: "north" } } };
