import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineJob, type Method, type Started } from "../rpc/method.ts";
import { RpcError } from "../rpc/rpc-error.ts";

/** `core.bulk`: one method with many argument lists, one after another (docs/host-api.md, section 3). */
export const BULK_METHODS: readonly Method[] = [
  defineJob({
    name: "core.bulk",
    names: ["method", "params", "description"],
    params: z.tuple([HostString, z.array(z.array(z.json())), HostString.nullable().default(null)]),
    lock: ([method]) => `bulk:${String(method)}`,
    run: async (_world, [method, params, description], job, caller) => {
      const start = caller.find(method);
      const rows: JsonObject[] = [];
      for (const [index, one] of params.entries()) {
        const text = `${index} / ${params.length}`;
        job.progress((100 * index) / params.length, description === null ? text : `${text}: ${fill(description, one)}`);
        rows.push(await runOne(() => start(one)));
      }
      return rows;
    },
  }),
];

/** A failure is a row: the job itself succeeds whatever its calls do. */
async function runOne(start: () => Promise<Started>): Promise<JsonObject> {
  try {
    const started = await start();
    if (started.kind === "result") return { job_id: null, error: null, result: started.result };
    const { job } = started;
    await job.ended;
    return { job_id: job.id, error: job.error, result: job.result };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { job_id: null, error: error.data?.reason ?? error.message, result: null };
  }
}

/** Fills `{}` and `{0}` with the arguments of one call. */
function fill(description: string, params: readonly Json[]): string {
  let next = 0;
  return description.replace(/\{(\d*)\}/g, (_, place: string) =>
    String(params[place === "" ? next++ : Number(place)] ?? ""),
  );
}
