/**
 * A program with an engine on a host of its own, whose apps come back with the process: installs `hello`, or goes on with
 * what an earlier process left, writes the task's end and ends. Arguments: folder with `apps` and `catalog`.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openEngine } from "../../../src/compose.ts";
import { passings } from "../../../src/engine/runtime/crash-points.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createHostJobs, type JsonObject, type OwnHost } from "../../../src/index.ts";
import { createMinimalHost } from "./minimal-host.ts";

const Created = z.strictObject({ name: z.string(), catalogApp: z.string(), values: z.record(z.string(), z.json()) });

const [folder = ""] = process.argv.slice(2);
const file = join(folder, "created.jsonl");
const item = { catalogApp: "hello", train: "stable", title: "Hello", icon: "", latestVersion: "1.0.0" };
const inner = createMinimalHost(join(folder, "apps"), [item]);

async function create(name: string, catalogApp: string, values: JsonObject): Promise<void> {
  const requestId = `create ${name}`;
  await inner.startJob({ method: "createApp", name, catalogApp, train: "stable", values }, requestId);
  const watch = { signal: AbortSignal.timeout(10_000), progress: () => {} };
  const job = await inner.waitJob({ requestId, method: "createApp" }, watch);
  if (job?.state !== "SUCCESS") throw new Error(`${name}: ${JSON.stringify(job)}`);
}

const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
for (const { name, catalogApp, values } of lines.map((line) => Created.parse(JSON.parse(line)))) {
  await create(name, catalogApp, values);
}
const host: OwnHost = {
  ...inner,
  ...createHostJobs({
    async createApp({ name, catalogApp, values }) {
      await create(name, catalogApp, values);
      appendFileSync(file, `${JSON.stringify({ name, catalogApp, values })}\n`);
    },
  }),
};
const choice = {
  db: join(folder, "own.db"),
  catalog: join(folder, "catalog"),
  production: false,
  logger: SILENT_LOGGER,
};
const { engine, close } = await openEngine({ ...choice, host });
const known = engine.tasks().find(({ kind }) => kind === "install") ?? (await engine.install("hello"));
const { state, result } = await engine.settled(known.id);
const apps = (await inner.apps()).map(({ name, state }) => `${name} ${state}`);
await close();
process.stdout.write(JSON.stringify({ passings, end: { state, result, apps } }));
