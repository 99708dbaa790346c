/** What a child says to deliveries that are sent ahead of their ends: all of it, in order, before it waits for more. */
import { expect, test } from "vitest";
import type { SandboxChild } from "../../../sandbox/child/child-process.ts";
import { createChildFiles } from "../../../sandbox/compile/bundle-child.ts";
import type { Delivery } from "../../../sandbox/protocol/ops.ts";
import { startAny } from "./start-any.ts";

const DELIVERIES = 300;

/** Longer together than what a child keeps back at most. */
const LINE = "x".repeat(2_000);

/** Asks for so many numbers one after the other, and tells some of the answers. */
const CODE = `var __exports = { run: async (ctx) => {
  for (let i = 1; i < ${DELIVERIES}; i++) {
    const ok = await ctx.getInstalledAppUrl("app" + i);
    if (i % 10 === 0) ctx.log(ok + "${LINE}");
  }
  return "all";
} };`;

function listDeliveries(): Delivery[] {
  const start = {
    kind: "hook",
    code: CODE,
    entrypoint: "run",
    context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: "" },
    seed: "seed",
    limits: { result: 1_000 },
  } as const;
  const answers = Array.from({ length: DELIVERIES - 1 }, (_, at) => ({ now: at + 1, ok: `url${at + 1}` }));
  return [{ now: 0, start }, ...answers];
}

/** What it has to say to them, one by one. */
function listSaid(): string[] {
  const said = Array.from({ length: DELIVERIES }, (_, at) => [
    ...(at > 0 && at % 10 === 0 ? [`log url${at}`] : []),
    at === DELIVERIES - 1 ? "done" : `context ${at + 1}`,
    "delivered",
  ]);
  return said.flat();
}

test("all of it comes in order, and before the child waits for more", async () => {
  const files = createChildFiles();
  const child = await startAny(await files.files());
  try {
    expect(await hearAll(child)).toEqual(listSaid());
  } finally {
    child.kill();
    await child.exited;
    await files.remove();
  }
});

/** Sends everything in one stretch, and hears until as many have ended. */
async function hearAll(child: SandboxChild): Promise<readonly string[]> {
  const said: string[] = [];
  const ended = Promise.withResolvers<void>();
  let left = DELIVERIES;
  child.listen({
    frame: ({ header }) => {
      const message = JSON.parse(header);
      const op = message.t === "out" ? JSON.parse(message.header) : null;
      said.push(op === null ? message.t : describeOp(op));
      if (message.t === "delivered") left -= 1;
      if (left === 0) ended.resolve();
    },
    broken: ended.reject,
    exit: () => ended.reject(new Error("the child has ended")),
  });
  for (const [id, delivery] of listDeliveries().entries()) {
    child.send({ t: "deliver", id, sliceMs: 60_000, header: JSON.stringify(delivery) });
  }
  await ended.promise;
  return said;
}

function describeOp({ op, id, line }: { readonly op: string; readonly id?: number; readonly line?: string }): string {
  if (line !== undefined) return `${op} ${line.replaceAll("x", "")}`;
  return id === undefined ? op : `${op} ${id}`;
}
