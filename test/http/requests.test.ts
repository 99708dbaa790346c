/** A request of the wrong shape is refused alike by the engine, by HTTP and by the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRequestFile } from "../../src/cli/options/files.ts";
import { EngineError } from "../../src/core/codes/problems.ts";
import { ActionRequest, InputRequest, InstallRequest } from "../../src/engine/requests.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";

let served: ServedEngine;
let folder: ReturnType<typeof createTestFolder>;
beforeAll(async () => {
  folder = createTestFolder();
  served = await serveEngine();
});
afterAll(async () => {
  folder.remove();
  await served.close();
});

/** Each kind of request: its path, the engine's method, and the schema the command line reads its file by. */
const KINDS = {
  install: ["/apps/demo-notes/install", (body: never) => served.engine.install("demo-notes", body), InstallRequest],
  upgrade: ["/apps/demo-notes/upgrade", (body: never) => served.engine.upgrade("demo-notes", body), InstallRequest],
  update: ["/apps/demo-notes/update", (body: never) => served.engine.update("demo-notes", body), InstallRequest],
  preview: ["/apps/demo-notes/preview", (body: never) => served.engine.preview("demo-notes", body), InstallRequest],
  action: [
    "/apps/demo-notes/actions/a",
    (body: never) => served.engine.runAction("demo-notes", "a", body),
    ActionRequest,
  ],
  input: ["/tasks/nobody/input", (body: never) => served.engine.input("nobody", body), InputRequest],
} as const;

const link = { hookId: "x", runsOnAppId: "y", targets: ["z"] };
const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);

const REFUSED: readonly [
  row: string,
  kind: keyof typeof KINDS,
  body: unknown,
  paths: readonly (readonly unknown[])[],
][] = [
  ["an unknown member", "install", { anwsers: {} }, [[]]],
  ["an unknown member of a link", "install", { links: [{ ...link, more: 1 }] }, [["links", 0]]],
  [
    "an unknown choice for a target",
    "install",
    { links: [{ ...link, install: { z: { links: [] } } }] },
    [["links", 0, "install", "z"]],
  ],
  ["a target that is no app id", "install", { links: [{ ...link, targets: ["Z!"] }] }, [["links", 0, "targets", 0]]],
  ["a consent that is no boolean", "upgrade", { consents: { terms: "yes" } }, [["consents", "terms"]]],
  ["answers that are a list", "update", { answers: [1] }, [["answers"]]],
  ["an answer deeper than any", "preview", { answers: { a: deep } }, [["answers", "a"]]],
  ["an unknown surface and a relative file", "action", { surface: "wall", files: ["a"] }, [["surface"], ["files", 0]]],
  ["an unknown member of an action", "action", { answers: {} }, [[]]],
  ["inputs that are a text", "input", "yes", [[]]],
];

it.each(REFUSED)("%s is TASK_REQUEST_INVALID with its place, whoever asks", async (_row, kind, body, paths) => {
  const [path, call, schema] = KINDS[kind];
  const file = join(folder.path, "request.json");
  writeFileSync(file, JSON.stringify(body));
  const byEngine = await call(body as never).catch((error: unknown) => error);
  const response = await createHttpApp(served.engine).request(`/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(byEngine).toBeInstanceOf(EngineError);
  expect(byEngine).toMatchObject({
    code: "TASK_REQUEST_INVALID",
    details: { errors: paths.map((path) => ({ path })) },
  });
  const { code, message, details } = byEngine as EngineError;
  expect([response.status, await response.json()]).toMatchObject([400, { code, detail: message, ...details }]);
  expect(() => readRequestFile(file, schema)).toThrow(expect.objectContaining({ code, details: { file, ...details } }));
});

it("the value of an input may be an object, as a sign-in's is", () => {
  expect(InstallRequest.parse({ inputs: { link: { account: { authToken: "t" } } } })).toEqual({
    inputs: { link: { account: { authToken: "t" } } },
  });
});

it("a request with more faults than anybody reads is told the first of them", async () => {
  const many = (value: unknown) => Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, value]));
  const refuse = async (body: unknown) => {
    const response = await served.post("/import/preview", body);
    const text = await response.text();
    expect(text.length).toBeLessThan(5_000);
    return ProblemDetailsShape.parse(JSON.parse(text)).errors ?? [];
  };
  const errors = await refuse({ file: "", answers: many(1) });
  expect([errors.length, errors[0]?.path, errors[19]?.path]).toEqual([21, ["answers", "k0"], ["answers", "k19"]]);
  expect(errors[20]).toEqual({ path: [], message: "and 59980 more" });
  const [unknown] = await refuse({ file: "", ...many(1) });
  expect(unknown?.message).toMatch(/^Unrecognized keys: "k0", "k1"[\s\S]*…$/);
});
