import { createServer } from "node:http";
import { describe, expect, onTestFinished } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, QUICK, settledTask, until } from "../../support/engine/engine-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

const TOKEN = "tok-1234567890";

/** A provider of the pin flow on loopback: grants the token once `agreed` is set. */
async function provider() {
  const state = { agreed: false, expiresIn: 900, seen: [] as string[] };
  const server = createServer((request, response) => {
    state.seen.push(`${request.method} ${request.url} ${request.headers["x-client"]}`);
    response.setHeader("content-type", "application/json");
    if (request.method === "POST") response.end(JSON.stringify({ id: 7, code: "AB12", expiresIn: state.expiresIn }));
    else response.end(JSON.stringify({ id: 7, authToken: state.agreed ? TOKEN : null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const flow = {
    type: "pin",
    pinUrl: `${base}/pins`,
    authUrl: "https://provider.test/auth#?clientID={clientId}&code={code}",
    pollUrl: `${base}/pins/{pinId}`,
    clientId: "slipway",
    tokenField: "authToken",
    headers: { "X-Client": "{clientId}" },
  };
  return { state, input: { type: "oauth", id: "account", name: "Account", provider: "test", flow } };
}

const hook = (changes: Record<string, unknown>) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(JSON.stringify(ctx.inputs)); }`,
  ...changes,
});

async function start(hooks: readonly unknown[], engine: Record<string, unknown> = {}, request = {}) {
  const world = await openWorld({ catalog: { demo: { hooks } }, engine });
  const { id } = await world.engine.install("demo", request);
  return { id, ...world, view: await settledTask(world.engine, id) };
}

describe("a required yes or no of a hook", () => {
  it("is asked with no as its default, which counts where nothing is given", async () => {
    const question = { question: "Agreed?", type: "boolean", key: "agreed", required: true };
    const { id, engine, view } = await start([hook({ inputs: [{ type: "question", id: "agreed", question }] })]);
    const { id: task, waitingFor } = hookTask(view, "setup");
    expect(waitingFor?.detail).toMatchObject({
      inputs: [{ id: "agreed", question: { required: true, default: false } }],
    });
    await engine.input(task, {});
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(engine.log(task).map(({ line }) => line)).toEqual(['{"agreed":false}']);
  });
});

describe("an OAuth input", () => {
  it("shows code and address, polls until the user has agreed, and keeps the token to itself", async () => {
    const { input, state } = await provider();
    const { id, engine, store, log, view } = await start([hook({ inputs: [input] })]);
    const task = hookTask(view, "setup").id;
    await until(engine, () => JSON.stringify(engine.task(task)?.waitingFor).includes("AB12"));
    expect(engine.task(task)?.waitingFor?.detail).toMatchObject({
      inputs: [
        {
          id: "account",
          type: "oauth",
          authorization: {
            status: "open",
            code: "AB12",
            url: "https://provider.test/auth#?clientID=slipway&code=AB12",
          },
        },
      ],
    });
    state.agreed = true;
    await until(engine, () => engine.task(id)?.state === "COMPLETED");
    expect(state.seen.slice(0, 2)).toEqual(["POST /pins slipway", "GET /pins/7 slipway"]);
    const shown = JSON.stringify([engine.task(id), store.logAfter(0, 1000), log]);
    expect(shown).not.toContain(TOKEN);
    expect(store.hookLog(task, 1)[0]?.line).toBe('{"account":{"authToken":"********"}}');
  });

  it("that expires after the answer's expiresIn says so, and Retry asks for a new code", async () => {
    const { input, state } = await provider();
    state.expiresIn = 0.05;
    const { id, engine, view } = await start([hook({ inputs: [input] })]);
    const task = hookTask(view, "setup").id;
    const expired = () => JSON.stringify(engine.task(task)?.waitingFor).includes("TASK_OAUTH_EXPIRED");
    await until(engine, expired);
    state.expiresIn = 900;
    state.agreed = true;
    await engine.retry(task);
    await until(engine, () => engine.task(id)?.state === "COMPLETED");
    expect(state.seen.filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });

  it.each([
    ["forwards", 3_600_000],
    ["backwards", -3_600_000],
  ])("lives as long as it should when the clock steps %s", async (_, step) => {
    const { input, state } = await provider();
    const clock = createTestClock();
    const { engine, view } = await start([hook({ inputs: [input] })], { clock });
    const task = hookTask(view, "setup").id;
    const shown = () => JSON.stringify(engine.task(task)?.waitingFor);
    await until(engine, () => shown().includes("AB12"));
    const polled = (times: number) =>
      expect.poll(() => state.seen.length > times && clock.isDueIn(QUICK.oauthPoll)).toBe(true);
    await polled(1);
    clock.step(step);
    clock.advance(899_999);
    await polled(2);
    expect(shown()).not.toContain("TASK_OAUTH_EXPIRED");
    clock.advance(1_000);
    await until(engine, () => shown().includes("TASK_OAUTH_EXPIRED"));
  });

  it("goes on with the code it showed after a restart", async () => {
    const { input, state } = await provider();
    const { id, engine, view, restart } = await start([hook({ inputs: [input] })]);
    const task = hookTask(view, "setup").id;
    await until(engine, () => JSON.stringify(engine.task(task)?.waitingFor).includes("AB12"));
    const { engine: again } = await restart();
    state.agreed = true;
    await until(again, () => again.task(id)?.state === "COMPLETED");
    expect(state.seen.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("does not reach a provider over plain http beyond loopback", async () => {
    const { input } = await provider();
    const flow = { ...input.flow, pinUrl: "http://192.0.2.1/pins" };
    const { view } = await start([hook({ inputs: [{ ...input, flow }] })]);
    expect(view).toMatchObject({ state: "COMPLETED", children: [], marks: ["hookDropped: setup"] });
  });
});

describe("inputs a required hook has collected", () => {
  const question = (id: string, key: string) => ({
    type: "question",
    id,
    question: { question: "Which?", type: "text", key, required: true },
  });

  it.each([
    ["by input id", question("token", "other")],
    ["by question key", question("another", "token")],
  ])("are handed over %s, so that nobody is asked twice", async (_, input) => {
    const { view, store } = await start(
      [
        hook({ id: "first", inputs: [question("token", "token")] }),
        hook({ id: "second", inputs: [input], requiresHooks: ["first"] }),
      ],
      {},
      { inputs: { first: { token: "from the first" } } },
    );
    expect(view.state).toBe("COMPLETED");
    expect(store.hookLog(hookTask(view, "second").id, 1)[0]?.line).toContain("from the first");
  });

  it("are asked again by a hook that does not require the other", async () => {
    const { view } = await start(
      [
        hook({ id: "first", inputs: [question("token", "t")] }),
        hook({ id: "second", inputs: [question("token", "t")] }),
      ],
      {},
      { inputs: { first: { token: "x" } } },
    );
    expect(hookTask(view, "second").state).toBe("AWAITING_INPUT");
  });
});
