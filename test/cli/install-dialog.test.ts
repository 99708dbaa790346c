import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";
import { createSlipwayFolder, type SlipwayFolder, slipway, taskOf } from "../support/slipway-process.ts";
import { DOWN, hasTerminal, openTerminal } from "../support/terminal-session.ts";

const TERMS = { url: "https://example.org/terms", label: "Terms of Example" };
const claim = (changes: Record<string, unknown> = {}) =>
  rawSetup({
    id: "claim",
    title: "Claim the server",
    userOptional: { description: "Signs in at Example.", link: TERMS },
    ...changes,
  });

/** "There" is installed, "absent" is not. */
function createFolder(): SlipwayFolder {
  const hooks = [
    claim(),
    rawSetup({ id: "report", title: "Report use", userOptional: {}, requiresHooks: ["claim"] }),
    rawSetup({ id: "sync", title: "Sync", requiresHooks: ["claim"] }),
    rawHook({ id: "share", title: "Share", conditions: [on("there")] }),
    rawHook({ id: "invite", title: "Invite", conditions: [on("absent")] }),
    rawHook({ id: "watch", title: "Watch", conditions: [on("there")], requiresHooks: ["claim"] }),
  ];
  return createSlipwayFolder({
    "demo.json": rawApp("demo", { hooks }),
    "demo-again.json": rawApp("demo-again", { hooks }),
    "there.json": rawApp("there"),
    "absent.json": rawApp("absent", {
      installation_questions: [rawQuestion("team", "text")],
      app_values: { team: "$QUESTION(team)" },
      hooks: [claim({ title: "Claim the team" })],
    }),
    "quiet.json": rawApp("quiet", { hooks: [claim()] }),
    "options.json": rawApp("options", {
      installation_questions: [rawQuestion("name", "text")],
      app_values: { name: "$QUESTION(name)" },
    }),
  });
}

/** Issue "To the letter", row 11; real catalogs, row 3. */
describe.skipIf(!hasTerminal)("the install dialog at the terminal", () => {
  const folder = createFolder();
  beforeAll(async () => {
    await folder.standin();
    await slipway("install", "there", ...folder.engine);
  });
  afterAll(() => folder.remove());

  /** The parts of the last task of an app, or of a part of it. */
  async function partsOf(appId: string, part?: string): Promise<readonly string[]> {
    const { stdout } = await slipway("tasks", "--app", appId, "--db", folder.db, "--format", "json");
    const [{ id }] = JSON.parse(stdout).tasks;
    const task = taskOf(await slipway("task", id, "--db", folder.db, "--format", "json"));
    const parent = part === undefined ? task : task.children.find(({ label }) => label === part);
    return (parent?.children ?? [task]).map(({ label, state }) => `${label} ${state}`);
  }

  it("asks each consent with its terms, closes what stands behind one, and says what will fire", {
    timeout: 120_000,
  }, async () => {
    const session = openTerminal(["install", "demo", ...folder.engine]);
    await session.answer("Claim the server (Signs in at Example. Terms of Example: https://example.org/terms)", "n\r");
    await session.answer("Link with your installed apps", "");
    await session.answer("Share: There", "");
    await session.answer("Install demo?", "\r");
    const { exitCode, shown } = await session.end();
    expect(exitCode).toBe(0);
    expect(shown).toContain("Customize Install (5 options available)");
    // Gated by the consent that was refused: not asked, not run
    expect(shown).not.toContain("Report use (");
    expect(shown).not.toContain("What will run");
    expect(await partsOf("demo")).toEqual(["Share COMPLETED"]);
  });

  it("customizes: takes a missing target with its own question and consent, and leaves a link out", {
    timeout: 120_000,
  }, async () => {
    const session = openTerminal(["install", "demo-again", ...folder.engine]);
    await session.answer("Claim the server", "\r");
    await session.answer("Report use", "\r");
    await session.answer("after the install: Claim the server", "");
    await session.answer("Terms of Example: https://example.org/terms", "");
    await session.answer("after the install: Sync", "");
    await session.answer("Watch: There", "");
    await session.answer("Customize Install (5 options available)", `${DOWN}\r`);
    await session.answer("Claim the server", "\r");
    await session.answer("Report use", "n\r");
    // Share: There (on), Invite: Install and Connect to Absent, Watch: There (on)
    await session.answer("Install and Connect to Absent", `${DOWN} ${DOWN} \r`);
    await session.answer("What is team", "blue\r");
    await session.answer("Claim the team (Signs in at Example.", "n\r");
    await session.answer("Invite: Absent", "");
    await session.answer("Install demo-again?", "\r");
    const { exitCode } = await session.end();
    expect(exitCode).toBe(0);
    expect(await partsOf("demo-again")).toEqual([
      "Claim the server COMPLETED",
      "Sync COMPLETED",
      "Install and Connect to Absent COMPLETED",
      "Share COMPLETED",
      "Invite COMPLETED",
    ]);
    // The inline consent was refused
    expect(await partsOf("demo-again", "Install and Connect to Absent")).toEqual([]);
  });

  it("shows the terms of what runs by default with --yes too, before anything is begun", async () => {
    const { stdout, exitCode } = await slipway("install", "quiet", "--yes", ...folder.engine);
    expect(exitCode).toBe(0);
    const places = ["Claim the server", "Terms of Example: https://example.org/terms", "Install Quiet"];
    const found = places.map((place) => stdout.indexOf(place));
    expect(found.every((at) => at >= 0)).toBe(true);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  it("shows what an update changes, and leaves it as it is where the person does", async () => {
    const answers = folder.write("answers.json", { name: "Ada" });
    await slipway("install", "options", "--answers", answers, ...folder.engine);
    const before = folder.traces();
    const session = openTerminal(["update", "options", ...folder.engine]);
    await session.answer("What is name", "Grace\r");
    await session.answer("What changes", "");
    await session.answer('"Ada" -> "Grace"', "");
    await session.answer("Update options?", `${DOWN}\r`);
    const { exitCode, shown } = await session.end();
    expect(shown).toContain("nothing has happened");
    expect(exitCode).toBe(2);
    expect(folder.traces()).toEqual(before);
  });
});
