/** `export` and `import` at the command line: the file, what is refused, and an import whose process is killed. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  errorOf,
  type SlipwayFolder,
  slipway,
  startSlipway,
  taskOf,
  untilOutput,
} from "../support/slipway-process.ts";

/** Its hook waits for a person, so that the import is under way for as long as it takes. */
const ASKS = {
  hooks: [
    rawSetup({
      inputs: [{ type: "question", id: "go", question: { question: "Go?", type: "text", key: "go", required: true } }],
    }),
  ],
};

const APPS = {
  "asks.json": rawApp("asks", ASKS),
  "good.json": rawApp("good", {
    installation_questions: [
      { question: "Password?", type: "password", key: "password", default: "$RANDOM_STRING(12)" },
    ],
  }),
};

describe("a move", () => {
  const [there, here]: readonly [SlipwayFolder, SlipwayFolder] = [createSlipwayFolder(APPS), createSlipwayFolder(APPS)];
  afterAll(() => {
    there.remove();
    here.remove();
  });
  const file = join(there.path, "house.json");
  const passphrase = ["--passphrase-file", join(there.path, "passphrase")] as const;
  const json = ["--format", "json"] as const;

  it("begins with a file for its owner alone, written once, and over another one only where told so", async () => {
    writeFileSync(passphrase[1], "eight or more\n");
    expect(taskOf(await slipway("install", "good", ...there.engine, ...json))).toMatchObject({ state: "COMPLETED" });
    const asking = taskOf(await slipway("install", "asks", ...there.engine, ...json));
    expect(asking).toMatchObject({ children: [{ state: "AWAITING_INPUT" }] });
    const silent = await slipway("export", "--out", file, ...there.engine, ...json);
    expect([silent.exitCode, errorOf(silent).code]).toEqual([2, "CLI_USAGE"]);
    const open = ["export", "--out", file, "--without-secrets", ...there.engine] as const;
    expect((await slipway(...open)).stdout).toContain(`${file}: 2 apps, 0 links, without secrets\n`);
    const unsealed = await slipway("import", file, "--list", ...passphrase, ...there.engine, ...json);
    expect(errorOf(unsealed).code).toBe("EXPORT_PASSPHRASE_WRONG");
    const again = await slipway(...open, ...json);
    expect([again.exitCode, errorOf(again).code]).toEqual([2, "CLI_FILE_UNWRITABLE"]);
    const made = await slipway("export", "--out", file, "--force", ...passphrase, ...there.engine, ...json);
    expect(JSON.parse(made.stdout)).toEqual({ file, apps: ["asks", "good"], links: 0, sealed: true, leftOut: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ slipway: "export", secrets: { kdf: {} } });
    expect(readdirSync(there.path).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("goes on on the other box where it was when its process is killed", async () => {
    const shut = await slipway("import", file, "--list", ...here.engine, ...json);
    expect([shut.exitCode, errorOf(shut).code]).toEqual([2, "CLI_USAGE"]);
    const listed = await slipway("import", file, "--list", ...passphrase, ...here.engine);
    expect(listed.stdout).toMatch(/^An export of .*\n {2}install: .*\n {2}install: .*\n$/);

    const owner = startSlipway(["serve", "--listen", "127.0.0.1:0", "--no-token", ...here.engine]);
    const { url } = JSON.parse(/\{"url".*\}/.exec(await untilOutput(owner, /\{"url".*\}/))?.[0] ?? "");
    const body = JSON.stringify({ file: readFileSync(file, "utf8"), passphrase: "eight or more" });
    const headers = { "content-type": "application/json" };
    const started = await fetch(`${url}/api/import`, { method: "POST", headers, body });
    const { id, children } = Object(await started.json());
    expect([started.status, children.length]).toEqual([202, 2]);
    owner.kill("SIGKILL");
    await endOf(owner);

    const asking = await slipway("retry", id, ...here.engine, ...json);
    expect(asking.exitCode).toBe(3);
    const values = here.write("go.json", { go: "on" });
    const ended = taskOf(await slipway("input", id, "--values", values, ...here.engine, ...json));
    expect(ended).toMatchObject({ kind: "import", state: "COMPLETED", result: { done: ["asks", "good"], failed: [] } });
  });
});
