/** The two apps of a chaos: every kind of hook, a link, an owned directory that is shared, and secrets. */
import { exportedApp, exportOf } from "../scripts/export-of.ts";
import { PIN_FLOW } from "../scripts/scripts.ts";

/** Given as answer, as input, and by the OAuth provider: must be seen nowhere. */
export const SECRETS = { answer: "answered-swordfish", input: "typed-in-swordfish", token: "granted-swordfish" };

const QUESTION = (key: string, type: string) => ({ question: `${key}?`, type, key, required: true });
const hook = (id: string, events: readonly unknown[], more = {}) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  timeout: 30,
  scriptContent: "export async function run() {}",
  ...more,
});

/** Their scripts, by app id. */
export const CATALOG = {
  demo: {
    requirements: {
      locations: ["ApplicationsPerformance"],
      specifications: [],
      permissions: [],
      ports: [],
    },
    installation_questions: [
      { question: "Password?", type: "password", key: "password", required: true },
      { question: "Name?", type: "text", key: "name", default: "Ann" },
    ],
    ensure_directories_exists: [
      {
        path: "$LOCATION(ApplicationsPerformance)/demo",
        owner: { user: "apps" },
        snapshot: { id: "data" },
        network_share: true,
      },
    ],
    app_values: { demo: { password: "$QUESTION(password)", name: "$QUESTION(name)" } },
    hooks: [
      hook("before", ["onBeforeInstall", "onBeforeUpgrade"], { retries: 1 }),
      hook("asks", ["onAfterInstall"], {
        inputs: [
          { type: "question", id: "secret", question: QUESTION("secret", "password") },
          { type: "oauth", id: "account", name: "Account", provider: "test", flow: PIN_FLOW },
        ],
      }),
      hook("optional", ["onAfterInstall", "onAfterUpgrade"], { optional: true }),
      hook("connect", ["userAction"], {
        rerun: "converge",
        retries: 1,
        conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
      }),
    ],
  },
  other: { hooks: [hook("after", ["onAfterInstall"])] },
};

/** What another box has written of both apps. */
export const EXPORT = exportOf("demo", {
  apps: ["other", "demo"].map(exportedApp),
  links: [{ runsOnAppId: "demo", hookId: "connect", targets: ["other"] }],
});
