import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../../src/compose.ts";
import type { Json } from "../../src/core/json/json.ts";
import type { Form, FormQuestion, TaskView } from "../../src/engine/api.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";

/** An answer to a required question without a default. */
function generatedAnswer({ type, options, key }: FormQuestion): Json {
  switch (type) {
    case "select":
      return options?.[0]?.value ?? "";
    case "number":
      return 7;
    case "boolean":
      return true;
    case "text":
    case "password":
      return `answer-${key}`;
  }
}

function generatedAnswers(form: Form): Record<string, Json> {
  const questions = form.steps.flatMap(({ sections }) => sections.flatMap((section) => section.questions));
  const open = questions.filter(
    ({ required, default: offered }) => required && (offered === undefined || offered === ""),
  );
  return Object.fromEntries(open.map((question) => [question.key, generatedAnswer(question)]));
}

const lines = (task: TaskView): string =>
  [`${task.label} ${task.state}`, ...task.children.map(({ label, state }) => `${label} ${state}`), ...task.marks].join(
    "; ",
  );

const scripts = realScripts();

describe.skipIf(scripts === null)("the real install scripts on the stand-in", () => {
  const dir = mkdtempSync(join(tmpdir(), "slipway-corpus-"));
  let opened: OpenedEngine;

  beforeAll(async () => {
    opened = await openEngine({
      host: { kind: "standin", speed: 20, idleExitS: 1 },
      db: join(dir, "slipway.db"),
      catalog: scripts?.folder ?? "",
      production: false,
    });
  });
  afterAll(async () => {
    await opened.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(scripts?.ids ?? [])("%s is installed", async (appId) => {
    const { engine } = opened;
    const answers = generatedAnswers(await engine.form(appId, "install"));
    const { id } = await engine.install(appId, { answers });
    const task = await engine.settled(id);
    console.log(`${appId}: ${lines(task)}`);
    expect(task).toMatchObject({ state: "COMPLETED", progress: 100 });
  });
});
