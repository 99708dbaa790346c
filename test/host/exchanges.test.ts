/**
 * Exchanges written down from docs/host-api.md: the stand-in must reproduce them, the client must send them so and
 * accept what comes. `<job>`, `<request>`, `<time>` and `<state>` stand for what a run decides.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isJsonObject, type Json } from "../../src/core/json/json.ts";
import { at as memberAt, openLoggedIn, startStandin } from "../support/engine/standin-client.ts";
import { openClient } from "../support/host/host-client.ts";
import { startWireHost, type WireCall } from "../support/host/wire-host.ts";

const AnyJson = z.json();
const Call = z.strictObject({ method: z.string(), params: z.array(AnyJson) });
const AnyObject = z.record(z.string(), AnyJson);
const Step = z.union([
  z.strictObject({ call: Call }),
  z.strictObject({ answer: AnyObject }),
  z.strictObject({ event: AnyObject }),
]);
const Exchange = z.strictObject({
  title: z.string(),
  section: z.string(),
  /** What the stand-in is told first: a call, or a job that is waited for. */
  before: z.array(z.union([z.strictObject({ call: Call }), z.strictObject({ job: Call })])),
  /** The call of the port that causes it, and how that ends; `after` is the job it looks at. */
  port: z.strictObject({
    method: z.string(),
    args: z.array(AnyJson),
    result: AnyJson.exactOptional(),
    error: AnyObject.exactOptional(),
    after: Call.exactOptional(),
  }),
  exchange: z.array(Step),
});

const FOLDER = new URL("fixtures/exchanges/", import.meta.url);
const EXCHANGES = readdirSync(FOLDER).map((file) =>
  Exchange.parse(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"))),
);

describe.each(EXCHANGES)("$title (section $section)", ({ before, port, exchange }) => {
  test("the stand-in reproduces it", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.subscribe", "core.get_jobs");
    for (const step of before) {
      if ("call" in step) await client.call(step.call.method, ...step.call.params);
      else await client.job(step.job.method, ...step.job.params);
    }
    const bound: Record<string, Json> = {};
    if (port.after !== undefined) {
      const job = await client.job(port.after.method, ...port.after.params);
      bound["request"] = memberAt(job, "message_ids", 0) ?? null;
    }
    let from = client.received.length;
    for (const step of exchange) {
      if ("call" in step) {
        from = client.received.length;
        const answer = await client.answer(step.call.method, ...step.call.params.map((param) => filled(param, bound)));
        bound["request"] ??= answer["id"] ?? null;
        continue;
      }
      const expected = "answer" in step ? step.answer : { method: "collection_update", params: step.event };
      const at = client.received.findIndex((message, index) => index >= from && fits(expected, message, { ...bound }));
      expect(
        at,
        `${JSON.stringify(expected)} in ${JSON.stringify(client.received.slice(from))}`,
      ).toBeGreaterThanOrEqual(0);
      fits(expected, client.received[at] ?? null, bound);
      from = at + 1;
    }
  });

  test("the client sends it so, and accepts it", async () => {
    const host = await startWireHost();
    const client = openClient(host.url);
    const bound = { job: 812, request: randomUUID(), time: 1_770_000_000_000, state: "RUNNING" };
    const wrong: string[] = [];
    for (const [at, step] of exchange.entries()) {
      if (!("call" in step)) continue;
      const ends = exchange.findIndex((later, index) => index > at && "call" in later);
      const frames = exchange.slice(at + 1, ends === -1 ? undefined : ends);
      host.on(step.call.method, (call) => {
        const params = step.call.params.map((param) => filled(param, bound));
        if (JSON.stringify(params) !== JSON.stringify(call.params)) wrong.push(JSON.stringify(call.params));
        for (const frame of frames) play(call, frame, bound);
      });
    }
    const method: unknown = Reflect.get(client, port.method);
    if (typeof method !== "function") throw new Error(`the port has no method ${port.method}`);
    const ended = await Reflect.apply(
      method,
      client,
      port.args.map((arg) => filled(arg, bound)),
    ).then(
      (result: unknown) => ({ result }),
      (error: unknown) => ({ error }),
    );
    await client.close();
    await host.stop();
    expect(wrong).toEqual([]);
    const { result, error } = port;
    if (error !== undefined) expect(ended.error).toMatchObject(error);
    else if (isJsonObject(result)) expect(ended.result).toMatchObject(Object(filled(result, bound)));
    else expect(ended).toEqual({ result: result });
  });
});

function play(call: WireCall, step: z.infer<typeof Step>, bound: Readonly<Record<string, Json>>): void {
  if ("event" in step) call.notify(filled(step.event, bound));
  if (!("answer" in step)) return;
  const { result, error } = step.answer;
  if (isJsonObject(error)) call.error(Number(error["code"]), String(error["message"]), error["data"] ?? undefined);
  else call.result(filled(result ?? null, bound));
}

/** The placeholders of a recording, filled with what this run has bound. */
function filled(value: Json, bound: Readonly<Record<string, Json>>): Json {
  if (typeof value === "string") return bound[/^<(\w+)>$/.exec(value)?.[1] ?? ""] ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, bound));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, bound)]));
}

/** Whether a message has everything a recording shows; binds placeholders on their first meeting. */
function fits(expected: Json, seen: Json | undefined, bound: Record<string, Json>): boolean {
  const name = typeof expected === "string" ? /^<(\w+)>$/.exec(expected)?.[1] : undefined;
  if (name !== undefined && seen !== undefined) {
    bound[name] ??= seen;
    return bound[name] === seen;
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(seen) &&
      seen.length === expected.length &&
      expected.every((item: Json, at) => fits(item, seen[at], bound))
    );
  }
  if (!isJsonObject(expected)) return expected === seen;
  return isJsonObject(seen) && Object.entries(expected).every(([key, item]) => fits(item, seen[key], bound));
}
