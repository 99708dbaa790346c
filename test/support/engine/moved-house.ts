/** A box whose apps move to another one: passwords, generated strings, consents, a link. */
import { rawHook } from "../scripts/scripts.ts";
import { openWorld } from "./engine-test.ts";
import { type EngineWorld, type EngineWorldOptions, settledTask } from "./engine-world.ts";

const question = (key: string, changes: object = {}) => ({ question: key, key, type: "text", ...changes });

/** A hook after the install that a person agrees to. */
const agreed = (id: string) => rawHook({ id, rerun: undefined, events: ["onAfterInstall"], userOptional: {} });

/** "notes" links to "library"; an empty world of them is opened with the same object. */
export const MOVED_APPS: Readonly<Record<string, object>> = {
  library: {
    installation_questions: [question("token", { type: "password", default: "$RANDOM_STRING(24)" })],
    app_values: { token: "$QUESTION(token)" },
  },
  notes: {
    requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
    installation_questions: [
      question("user", { required: true }),
      question("password", { type: "password", required: true }),
      question("greeting"),
      question("folder", { default: "$LOCATION(Media)/notes" }),
    ],
    app_values: {
      user: "$QUESTION(user)",
      password: "$QUESTION(password)",
      greeting: "$QUESTION(greeting)",
      folder: "$QUESTION(folder)",
      key: "$RANDOM_STRING(20)",
    },
    hooks: [
      agreed("welcome"),
      agreed("index"),
      rawHook({ conditions: [{ role: "visibility", type: "appInstalled", app: "library" }] }),
    ],
  },
};

/** Of a person, and inside an answer that is none itself. */
export const SECRETS = ["correct horse battery"] as const;

/** What a person has answered for "notes". */
export const ANSWERS = {
  user: "ada",
  password: SECRETS[0],
  greeting: `log in with ${SECRETS[0]}`,
} as const;

/** The link of the two. */
export const LINK = { hookId: "connect", runsOnAppId: "notes", targets: ["library"] } as const;

/** Opens a box with both apps installed and linked. */
export async function setUpHouse(options: Partial<EngineWorldOptions> = {}): Promise<EngineWorld> {
  const world = await openWorld({ catalog: MOVED_APPS, ...options });
  const request = { answers: ANSWERS, consents: { welcome: false }, links: [LINK] };
  const { id } = await world.engine.install("notes", request);
  await settledTask(world.engine, id);
  return world;
}
