// Written years ago: an unused import of a type, a replaced log, calls nobody awaits.
// @ts-ignore
import { HookContext as Context, Mount } from "slipway/hook-api";

type Options = { flags?: number };
type Result = { flags: number; lines: number };

export async function run(ctx: Context): Promise<Result> {
  const lines: unknown[] = [];
  const original = ctx.log;
  ctx.log = (...values) => {
    lines.push(values);
    original("old:", ...values);
  };
  const options: Options = { flags: 1 };
  options.flags! |= 4;
  ctx.registerCheckpoints([{ id: "one", message: "One" }, { id: "two", message: "Two" }]);
  ctx.emitCheckpoint("one");
  ctx.updateCheckpointMessage("two", "Almost");
  ctx.log({ nested: { deep: [1, 2, { three: 3n }] } });
  console.log("%s is %d", "answer", 42);
  ctx.emitCheckpoint("two");
  return { flags: options.flags!, lines: lines.length };
}
