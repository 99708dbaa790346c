/** `GET tasks` in pages, a task's log and history, and the list that is followed without a gap. */
import { describe, expect } from "vitest";
import { readEventStream } from "../../src/cli/options/event-stream.ts";
import { turn } from "../../src/contract/store-rows.ts";
import type { Engine } from "../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { History, StreamOpened, TaskEvent } from "../../src/http/schemas/events.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { Log, Tasks } from "../../src/http/schemas/tasks.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";

async function openServed(catalog: Readonly<Record<string, unknown>>) {
  const world = await openWorld({ catalog });
  const app = createHttpApp(world.engine);
  return {
    ...world,
    get: (path: string, init?: RequestInit) => app.request(`/api${path}`, init),
    install: async (appId: string) => {
      const { id } = await world.engine.install(appId);
      return settledTask(world.engine, id);
    },
  };
}

const failing = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onBeforeInstall"],
      optional: false,
      scriptContent: 'export async function run() { throw new Error("no"); }',
      entrypoint: "run",
    },
  ],
};

describe("the name of an app beside its id", () => {
  it("is in tasks, their changes and the audit list where it is known", async () => {
    const metadata = { name: "Named App", description: "d", icon: "icon.svg", version: "1.0.0" };
    const { get, engine, install } = await openServed({ named: { custom: true, metadata }, nameless: {} });
    const [named, nameless] = [await install("named"), await install("nameless")];
    const { tasks } = Tasks.parse(await (await get("/tasks")).json());
    expect(tasks.map(({ id, appName }) => [id, appName])).toEqual([
      [nameless.id, undefined],
      [named.id, "Named App"],
    ]);
    const { events } = History.parse(await (await get(`/tasks/${named.id}/events`)).json());
    expect(new Set(events.map(({ task }) => task.appName))).toEqual(new Set(["Named App"]));
    for await (const { task } of engine.watch(0)) {
      expect(task.appName).toBe("Named App");
      break;
    }
    expect(engine.audit().map(({ appName }) => appName)).toEqual([undefined, "Named App"]);
  });
});

describe("GET tasks pages", () => {
  it("lists newest first, page after page, each root task once, and says where the next page begins", async () => {
    const { get, install } = await openServed({ a: {}, b: {}, c: {}, d: {}, e: {} });
    const ids: string[] = [];
    for (const appId of ["a", "b", "c", "d", "e"]) ids.unshift((await install(appId)).id);
    const seen: string[][] = [];
    for (let before: string | undefined = ""; before !== undefined; ) {
      const query: string = before === "" ? "" : `&before=${before}`;
      const page = Tasks.parse(await (await get(`/tasks?limit=2${query}`)).json());
      seen.push(page.tasks.map(({ id }) => id));
      before = page.next;
    }
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it("narrows by app, state and last change, and an exact page has no next one", async () => {
    const { get, install } = await openServed({ a: {}, b: {}, stuck: failing });
    const [a, stuck, b] = [await install("a"), await install("stuck"), await install("b")];
    const list = async (query: string) => {
      const page = Tasks.parse(await (await get(`/tasks?${query}`)).json());
      return { ids: page.tasks.map(({ id }) => id), next: page.next };
    };
    expect(await list("app=a")).toEqual({ ids: [a.id], next: undefined });
    expect(await list("state=COMPLETED&limit=2")).toEqual({ ids: [b.id, a.id], next: undefined });
    expect(await list("state=COMPLETED&state=RUNNING")).toMatchObject({ ids: [b.id, stuck.id, a.id] });
    expect(await list("search=STUCK%20install")).toEqual({ ids: [stuck.id], next: undefined });
    expect(await list("search=install&limit=1&state=COMPLETED")).toEqual({ ids: [b.id], next: b.id });
    expect(await list("search=%25")).toEqual({ ids: [], next: undefined });
    expect(await list("unfinished=true")).toMatchObject({ ids: [stuck.id] });
    expect(await list("unfinished=false")).toMatchObject({ ids: [b.id, a.id] });
    expect(await list(`since=${b.updated}&app=b`)).toMatchObject({ ids: [b.id] });
    const later = new Date(Date.parse(b.updated) + 1).toISOString();
    expect(await list(`since=${later}`)).toEqual({ ids: [], next: undefined });
  });

  it("lists 100 unless told otherwise, in the engine too", async () => {
    const { engine, store, get } = await openServed({ a: {} });
    const first = await engine.install("a");
    await settledTask(engine, first.id);
    const row = store.task(first.id);
    if (row === null) throw new Error("the install is not stored");
    for (let number = 0; number < 120; number += 1) {
      const id = `copy-${number}`;
      store.commit(turn(store, { ...row, id, root: id, name: id, rev: 1 }));
    }
    expect(engine.tasks()).toHaveLength(100);
    expect(engine.tasks({ limit: 1_000 })).toHaveLength(121);
    const page = Tasks.parse(await (await get("/tasks")).json());
    expect([page.tasks.length, page.next]).toEqual([100, "copy-20"]);
  });

  it("refuses what is not a filter, and a page before a task that is unknown", async () => {
    const { get } = await openServed({ a: {} });
    const refusals: readonly [query: string, status: number, code: string][] = [
      ["appId=a", 400, "HTTP_BAD_REQUEST"],
      ["state=SLEEPING", 400, "HTTP_BAD_REQUEST"],
      ["since=2026-01-31T12:00:00", 400, "HTTP_BAD_REQUEST"],
      ["limit=0", 400, "HTTP_BAD_REQUEST"],
      ["limit=1001", 400, "HTTP_BAD_REQUEST"],
      ["before=nobody", 404, "TASK_UNKNOWN"],
    ];
    for (const [query, status, code] of refusals) {
      const problem = ProblemDetailsShape.parse(await (await get(`/tasks?${query}`)).json());
      expect([query, problem.status, problem.code]).toEqual([query, status, code]);
    }
  });
});

const talking = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onAfterInstall"],
      optional: false,
      inputs: [{ id: "word", type: "question", question: { question: "Word", type: "password", key: "word" } }],
      scriptContent: `export async function run(ctx) {
        ctx.registerCheckpoints([{ id: "one", message: "One" }]);
        console.log("first line");
        console.log("the password is", ctx.getInput("word"));
        await ctx.emitCheckpoint("one");
      }`,
      entrypoint: "run",
    },
  ],
};

describe("GET tasks/{id}/log and GET tasks/{id}/events", () => {
  it("give a hook's lines with its secrets masked, and what happened to it, in pages", async () => {
    const { engine, get } = await openServed({ talk: talking });
    const { id } = await engine.install("talk", { inputs: { setup: { word: "open sesame" } } });
    const view = await settledTask(engine, id);
    const hook = view.children[0]?.id ?? "";
    const { lines } = Log.parse(await (await get(`/tasks/${hook}/log`)).json());
    expect(lines.map(({ line }) => line)).toEqual(["first line", "the password is ********"]);
    const newest = Log.parse(await (await get(`/tasks/${hook}/log?limit=1`)).json());
    expect(newest).toEqual({ lines: lines.slice(1), next: lines[1]?.number });
    const older = Log.parse(await (await get(`/tasks/${hook}/log?limit=1&before=${newest.next}`)).json());
    expect(older).toEqual({ lines: lines.slice(0, 1) });
    expect(Log.parse(await (await get(`/tasks/${id}/log`)).json()).lines).toEqual([]);

    const whole = History.parse(await (await get(`/tasks/${hook}/events`)).json());
    expect(whole.next).toBeUndefined();
    expect(whole.events.map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(["parent.start", "script.registered", "script.completed", "run.completed"]),
    );
    expect(whole.events.at(-1)?.task).toMatchObject({
      id: hook,
      state: "COMPLETED",
      checkpoints: [{ id: "one", state: "COMPLETED" }],
    });
    const seqs: number[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page = History.parse(await (await get(`/tasks/${hook}/events?limit=3&from=${from}`)).json());
      seqs.push(...page.events.map(({ seq }) => seq));
      from = page.next;
    }
    expect(seqs).toEqual(whole.events.map(({ seq }) => seq));
    expect(JSON.stringify([lines, whole])).not.toContain("sesame");
  });

  it("answer 404 for a task that is unknown", async () => {
    const { get } = await openServed({ a: {} });
    for (const part of ["log", "events", "trace"]) expect((await get(`/tasks/nobody/${part}`)).status).toBe(404);
  });
});

describe("list, then follow", () => {
  it("misses nothing and sees nothing twice from the list's number on", async () => {
    const { engine, install } = await openServed({ a: {}, b: {} });
    const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER });
    closeAfterTest(server);
    await install("a");
    const { seq } = Tasks.parse(await (await fetch(`${server.url}/api/tasks`)).json());
    expect(seq).toBe(engine.lastSeq());
    await install("b");
    const newest = engine.lastSeq();
    const gone = new AbortController();
    const stream = await fetch(`${server.url}/api/events?from=${seq}`, { signal: gone.signal });
    expect(stream.headers.get("x-slipway-seq")).toBe(String(newest));
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
    if (stream.body === null) throw new Error("the stream has no body");
    const seqs: number[] = [];
    let opened: unknown;
    for await (const { event, data } of readEventStream(stream.body, gone.signal)) {
      if (event === "stream.opened") opened = JSON.parse(data);
      else seqs.push(TaskEvent.parse(JSON.parse(data)).seq);
      if (seqs.at(-1) === newest) gone.abort();
    }
    expect(opened).toEqual({ epoch: engine.eventLog().epoch, seq: newest, oldest: 1 });
    expect(seqs).toEqual(Array.from({ length: newest - seq }, (_, index) => seq + 1 + index));
  });

  it("ends where what a slow reader has yet to be told was pruned, and says so to whoever goes on", async () => {
    const { engine } = await openWorld({ catalog: { a: {} }, engine: { kept: { trees: 1 } } });
    await settledTask(engine, (await engine.install("a")).id);
    const from = engine.lastSeq();
    const open = async (seq: number) => {
      const { body } = await createHttpApp(engine).request(`/api/events?from=${seq}`);
      if (body === null) throw new Error("the stream has no body");
      return readEventStream(body, new AbortController().signal);
    };
    const seqs: number[] = [];
    for await (const { event, data } of await open(from)) {
      if (event.startsWith("task.")) seqs.push(TaskEvent.parse(JSON.parse(data)).seq);
      if (seqs.at(-1) === engine.lastSeq()) break;
      // Nothing of the stream is read meanwhile.
      if (seqs.length === 0)
        while (engine.eventLog().oldest < from + 200) await settledTask(engine, (await engine.startApp("a")).id);
    }
    expect(seqs).toEqual(seqs.map((_, index) => from + 1 + index));
    const last = seqs.at(-1) ?? from;
    for await (const { data } of await open(last)) {
      expect(StreamOpened.parse(JSON.parse(data)).oldest).toBeGreaterThan(last + 1);
      break;
    }
  });

  it("has no later number than its tasks, where another process writes meanwhile", async () => {
    const { engine } = await openServed({ a: {} });
    let seq = 7;
    const written: Engine = {
      ...engine,
      tasks: (filter) => {
        seq += 1;
        return engine.tasks(filter);
      },
      eventLog: () => ({ ...engine.eventLog(), seq }),
    };
    const list = await createHttpApp(written).request("/api/tasks");
    expect(Tasks.parse(await list.json()).seq).toBe(7);
  });

  it("tells another database by its epoch, and the same one over restarts", async () => {
    const readOpened = async (engine: Engine) => {
      const gone = new AbortController();
      const stream = await createHttpApp(engine).request("/api/events", { signal: gone.signal });
      for await (const { event, data } of readEventStream(stream.body ?? new ReadableStream(), gone.signal)) {
        expect(event).toBe("stream.opened");
        return StreamOpened.parse(JSON.parse(data));
      }
      throw new Error("the stream ended at once");
    };
    const world = await openWorld({ catalog: { a: {} } });
    await settledTask(world.engine, (await world.engine.install("a")).id);
    const before = await readOpened(world.engine);
    const next = await world.restart();
    expect(await readOpened(next.engine)).toEqual(before);
    const list = Tasks.parse(await (await createHttpApp(next.engine).request("/api/tasks")).json());
    expect(list).toMatchObject({ epoch: before.epoch, seq: before.seq });
    const other = await openWorld({ catalog: { a: {} } });
    const opened = await readOpened(other.engine);
    expect([opened.epoch === before.epoch, opened.seq, opened.oldest]).toEqual([false, 0, 1]);
  });

  it("says the newest number in the head alone, too", async () => {
    const { engine, get, install } = await openServed({ a: {} });
    await install("a");
    const head = await get("/events", { method: "HEAD" });
    expect(head.headers.get("x-slipway-seq")).toBe(String(engine.lastSeq()));
  });
});
