import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MASKED } from "../../src/core/report/mask.ts";
import { runCommand } from "../support/command-line.ts";
import { HOST, rawQuestion } from "../support/scripts/plans.ts";
import { rawScript } from "../support/scripts/scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const facts = file("host.json", HOST);
const script = file(
  "demo@2.json",
  rawScript({
    requirements: { locations: ["Media"], specifications: ["2CORE"], permissions: [], ports: [32_400] },
    installation_questions: [
      rawQuestion("port", { type: "number", default: 8080, group: "Network / Ports" }),
      rawQuestion("password", { type: "password", default: "$RANDOM_STRING(16)", group: "Access" }),
      rawQuestion("pin", { type: "password", installonly: true, group: "Access" }),
    ],
    ensure_directories_exists: [{ path: "$LOCATION(Media)/demo", owner: { user: "apps" }, network_share: true }],
    app_values: {
      port: "$QUESTION(port)",
      login: "admin:$QUESTION(password)",
      pin: "$QUESTION(pin)",
      ip: "$SERVER_LAN_IP",
    },
    hooks: [
      {
        id: "setup",
        title: "Set up",
        events: ["onAfterInstall"],
        scriptContent: "export async function run() {}",
        entrypoint: "run",
      },
    ],
  }),
);

async function plan(...args: readonly string[]) {
  const result = await runCommand("plan", script, "--host-facts", facts, "--format", "json", ...args);
  return { ...result, document: JSON.parse(result.stdout) };
}

describe("slipway plan", () => {
  it("prints one JSON document of the shape in design.md, secrets masked", async () => {
    const { exitCode, document, stderr } = await plan("--answers", file("answers.json", { port: 9000, pin: "1234" }));
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(Object.keys(document)).toEqual([
      "appId",
      "appValues",
      "directories",
      "hooks",
      "form",
      "requirements",
      "problems",
    ]);
    expect(document).toMatchObject({
      appId: "demo",
      appValues: { port: 9000, login: MASKED, pin: MASKED, ip: "192.168.1.20" },
      directories: [
        { path: "/mnt/tank/Media/demo", location: "Media", root: false, share: true, owner: { user: "apps" } },
      ],
      hooks: [{ id: "setup", event: "onAfterInstall", optional: false }],
      form: {
        steps: [
          {
            title: "Network",
            rail: false,
            sections: [{ title: "Ports", questions: [{ key: "port", default: 8080 }] }],
          },
          {
            title: "Access",
            rail: false,
            sections: [{ questions: [{ key: "password", default: MASKED, generated: true }, { key: "pin" }] }],
          },
        ],
      },
      requirements: { locations: { met: ["Media"], unmet: [] } },
      problems: [],
    });
    expect(document.requirements.advisory).toContainEqual(
      expect.objectContaining({ kind: "port", required: 32_400, met: false, proposal: 32_401 }),
    );
  });

  it("shows secrets with --reveal, the generated one the same in the form and in its uses", async () => {
    const { document } = await plan("--reveal", "--answers", file("answers.json", { pin: "1234" }));
    const [, access] = document.form.steps;
    const generated = access.sections[0].questions[0].default;
    expect(generated).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(document.appValues).toMatchObject({ login: `admin:${generated}`, pin: "1234" });
  });

  it("says with --explain which macro and answer each value came from", async () => {
    const { document } = await plan("--explain");
    expect(document.explain).toContainEqual({
      path: ["app_values", "login"],
      macros: [{ macro: "$QUESTION(password)", from: "answer:generated", key: "password" }],
    });
  });

  it.each(["custom", "options"])("shows the %s dialog on one screen", async (mode) => {
    const { document } = await plan("--mode", mode);
    const [step, ...others] = document.form.steps;
    expect(others).toEqual([]);
    const keys = step.sections[0].questions.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(mode === "options" ? ["port", "password"] : ["port", "password", "pin"]);
  });

  const hookOf = (id: string, events: readonly unknown[], more = {}) => ({
    id,
    title: id,
    events,
    scriptContent: "export async function run() {}",
    entrypoint: "run",
    ...more,
  });
  const migrating = file(
    "migrating.json",
    rawScript({
      installation_questions: [rawQuestion("name", { required: true })],
      hooks: [
        hookOf("after", ["onAfterInstall", "onAfterUpgrade"]),
        hookOf("migrate", [{ event: "onBeforeUpgrade", from: "<2", to: "^2" }], { optional: true }),
        hookOf("later", [{ event: "onAfterUpgrade", from: ">=2" }]),
        hookOf("agreed", ["onAfterInstall", "onAfterUpgrade"], { userOptional: {} }),
      ],
    }),
  );
  const hooksOf = async (...args: readonly string[]) => {
    const { stdout } = await runCommand("plan", migrating, "--host-facts", facts, "--format", "json", ...args);
    return JSON.parse(stdout).hooks;
  };

  it("shows with --from and --to which upgrade hooks would fire, in their order, and asks for no answer", async () => {
    const upgrade = ["--from", "1.0.0", "--to", "2.0.0"];
    expect((await runCommand("plan", migrating, "--host-facts", facts, ...upgrade)).exitCode).toBe(0);
    const given = await runCommand(
      "plan",
      migrating,
      "--host-facts",
      facts,
      ...upgrade,
      "--answers",
      file("a.json", {}),
    );
    expect(given).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("takes no answers") });
    expect(await hooksOf("--from", "1.04.0", "--to", "2.0.0")).toEqual([
      { id: "migrate", event: "onBeforeUpgrade", optional: true },
      { id: "after", event: "onAfterUpgrade", optional: false },
    ]);
    const { exitCode, stderr } = await runCommand("plan", migrating, "--host-facts", facts, "--from", "1.0.0");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("go together") });
  });

  it("lists no install hooks with --mode options: an update fires none", async () => {
    expect(await hooksOf("--mode", "options")).toEqual([]);
  });

  it("ends with exit 1 and every faulty answer at its key; what can't be resolved is null", async () => {
    const { exitCode, document } = await plan("--answers", file("bad.json", { port: "9000", nobody: 1 }));
    expect(exitCode).toBe(1);
    expect(document.appValues).toMatchObject({ port: null, ip: "192.168.1.20" });
    expect(document.problems.map(({ code, path }: { code: string; path: unknown }) => [code, path])).toEqual([
      ["ANSWER_UNKNOWN", ["answers", "nobody"]],
      ["ANSWER_TYPE", ["answers", "port"]],
    ]);
  });

  it("refuses a missing location with exit 1", async () => {
    const bare = file("bare.json", { ...HOST, locations: {} });
    const { exitCode, stdout } = await runCommand("plan", script, "--host-facts", bare, "--format", "json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      directories: [{ path: null, location: "Media" }],
      requirements: { locations: { met: [], unmet: ["Media"] } },
      problems: [{ code: "REQUIREMENT_LOCATION_MISSING", line: 8, column: 7 }],
    });
  });

  it("prints a refused script's problems with every part null", async () => {
    const refused = file("refused.json", rawScript({ app_values: { v: "$NOPE(1)" } }));
    const { exitCode, stdout } = await runCommand("plan", refused, "--host-facts", facts, "--format", "json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      appId: "refused",
      appValues: null,
      directories: null,
      hooks: null,
      form: null,
      requirements: null,
      problems: [{ code: "MACRO_UNKNOWN", path: ["app_values", "v"] }],
    });
  });

  it("is readable as text, without a secret", async () => {
    const answers = file("answers.json", { pin: "1234" });
    const { exitCode, stdout } = await runCommand(
      "plan",
      script,
      "--host-facts",
      facts,
      "--answers",
      answers,
      "--explain",
    );
    expect(exitCode).toBe(0);
    expect(stdout.replace(/\n\n/g, "\n")).toBe(
      [
        "demo",
        "requirements",
        "  ok       location Media",
        "  ok       specification 2CORE: 4 cores",
        '  unmet    port 32400: used by "plex"',
        '           hint: choose another port, e.g. 32401, or stop "plex"',
        "questions",
        "  Network / Ports: port (number): optional, default 8080",
        `  Access: password (password): optional, default "${MASKED}", generated`,
        "  Access: pin (password): optional, no default",
        "directories",
        "  /mnt/tank/Media/demo  (in Media, shared, owner apps)",
        "app values",
        "  port = 8080",
        `  login = "${MASKED}"`,
        `  pin = "${MASKED}"`,
        '  ip = "192.168.1.20"',
        "hooks",
        "  onAfterInstall setup",
        "where values come from",
        "  installation_questions.password.default",
        "    $RANDOM_STRING(16) <- generated",
        "  app_values.port",
        "    $QUESTION(port) <- answer default",
        "  app_values.login",
        "    $QUESTION(password) <- answer generated",
        "  app_values.pin",
        "    $QUESTION(pin) <- answer given",
        "  app_values.ip",
        "    $SERVER_LAN_IP <- host",
        "  ensure_directories_exists[0].path",
        "    $LOCATION(Media) <- host",
        "",
      ].join("\n"),
    );
  });

  it("shows problems in text at their place in the script, or at the key of the answer", async () => {
    const faulty = file(
      "faulty.json",
      rawScript({ app_values: { v: "$HOME", $GPU: "x" }, installation_questions: [rawQuestion("k")] }),
    );
    const answers = file("faulty-answers.json", { k: 1 });
    const { exitCode, stdout } = await runCommand("plan", faulty, "--host-facts", facts, "--answers", answers);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${faulty}:13:11: warning MACRO_BARE_NAME: "$HOME" is not a macro; it is kept as text\n`);
    expect(stdout).toContain(
      'answers.k: error ANSWER_TYPE: the answer to "k" must be a string, not a number\n  hint: ',
    );
  });

  it.each([
    ["no host facts", [script], "CLI_USAGE"],
    ["an unknown mode", [script, "--host-facts", facts, "--mode", "x"], "CLI_USAGE"],
    ["a missing script", [join(folder, "none.json"), "--host-facts", facts], "CLI_FILE_UNREADABLE"],
    ["host facts of another shape", [script, "--host-facts", file("other.json", { lanIp: 1 })], "CLI_FILE_INVALID"],
    [
      "answers that are no JSON",
      [script, "--host-facts", facts, "--answers", file("no.json", "{")],
      "CLI_FILE_INVALID",
    ],
    [
      "answers of another shape, as an install refuses them",
      [script, "--host-facts", facts, "--answers", file("list.json", [1])],
      "TASK_REQUEST_INVALID",
    ],
  ])("ends with exit 2 for %s", async (_what, args, code) => {
    const { exitCode, stdout } = await runCommand("plan", ...args, "--format", "json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code } });
  });
});
