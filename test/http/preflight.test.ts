/** Pre-flight: what a preview names before the host is called, over HTTP, and what the embedder has it refuse. */
import { describe, expect } from "vitest";
import { z } from "zod";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { Preview } from "../../src/http/schemas/previews.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, type EngineWorldOptions, settledTask } from "../support/engine/engine-world.ts";

/** Bytes: below what any image needs. */
const LITTLE = 512 * 1024 ** 2;
const NETWORK = { app_values: { network: { web_port: 30_013 } } };
const LOCATIONS = { locations: { ApplicationsPerformance: "/mnt/tank/apps" } };

interface Row {
  readonly names: string;
  /** Of the app to install. */
  readonly script?: Readonly<Record<string, unknown>>;
  readonly host?: EngineWorldOptions["host"];
  /** Brings the host where the fault is. */
  readonly arrange?: (world: EngineWorld) => Promise<void>;
  readonly code: string;
  readonly says: string | RegExp;
  readonly hint: string | RegExp;
  /** Where it refuses: always, or where the embedder enforces requirements; else it is advice. */
  readonly refuses: "always" | "enforced";
}

/** A script that needs something of the host. */
function needing(specification: string): Pick<Row, "script"> {
  const requirements = { locations: ["ApplicationsPerformance"], permissions: [], ports: [] };
  return { script: { requirements: { ...requirements, specifications: [specification] } } };
}

const ROWS: readonly Row[] = [
  {
    names: "name taken",
    arrange: async ({ engine }) => {
      await settledTask(engine, (await engine.install("demo")).id);
    },
    code: "HOST_NAME_TAKEN",
    says: 'an app named "demo" is installed already',
    hint: /remove the app of this name/,
    refuses: "always",
  },
  {
    names: "port in use, with the app that uses it",
    script: NETWORK,
    arrange: async ({ engine }) => {
      await settledTask(engine, (await engine.install("other")).id);
    },
    code: "HOST_PORT_CONFLICT",
    says: 'the port 30013 is used by the app "other"',
    hint: /choose another port/,
    refuses: "enforced",
  },
  {
    names: "locations missing",
    script: { requirements: { locations: ["Photos"], specifications: [], permissions: [], ports: [] } },
    code: "REQUIREMENT_LOCATION_MISSING",
    says: /"Photos" is not configured/,
    hint: /set a folder of the host for the location/,
    refuses: "always",
  },
  {
    names: "room, too little where an app's folders lie",
    script: {
      requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
      ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo" }],
    },
    arrange: async ({ host }) => {
      const { datasetOf } = host;
      host.datasetOf = async (path) => ({ ...(await datasetOf(path)), availableBytes: LITTLE });
    },
    code: "HOST_SPACE_LOW",
    says: /has 512 MB left, 1024 are needed/,
    hint: /delete what is not needed/,
    refuses: "enforced",
  },
  {
    names: "room, less than the script asks for",
    ...needing("500GB"),
    host: { facts: { ...LOCATIONS, availableMb: { ApplicationsPerformance: 1_000 } } },
    code: "REQUIREMENT_UNMET",
    says: /500GB.*1000 MB free in ApplicationsPerformance/,
    hint: /delete what is not needed/,
    refuses: "enforced",
  },
  {
    names: "memory",
    ...needing("64GBRAM"),
    code: "REQUIREMENT_UNMET",
    says: /64GBRAM.*16384 MB of memory/,
    hint: "give the host more memory",
    refuses: "enforced",
  },
  {
    names: "cores",
    ...needing("8CORE"),
    code: "REQUIREMENT_UNMET",
    says: /8CORE.*4 cores/,
    hint: "give the host more cores",
    refuses: "enforced",
  },
  {
    names: "GPU",
    ...needing("GPU"),
    code: "REQUIREMENT_UNMET",
    says: /GPU.*no usable GPU/,
    hint: /put a card into the host/,
    refuses: "enforced",
  },
  {
    names: "image registry out of the host's reach",
    arrange: async ({ host }) => {
      host.imageRegistry = async () => ({ fault: "Unable to connect" });
    },
    code: "HOST_REGISTRY_UNREACHABLE",
    says: /can't reach its registry of images: Unable to connect/,
    hint: /connection to the internet/,
    refuses: "enforced",
  },
  {
    names: "an unfinished task, by its id",
    arrange: async ({ engine, host }) => {
      host.script.hold("app.create");
      await engine.install("demo");
      await expect.poll(() => host.script.calls.some(({ method }) => method === "app.create")).toBe(true);
    },
    code: "TASK_CONFLICT",
    says: /task "[\w-]+" is already at work on "demo"/,
    hint: /wait for the task named, or cancel it/,
    refuses: "always",
  },
];

async function serve({ script = {}, host, arrange }: Row, enforceRequirements: boolean) {
  const world = await openWorld({
    catalog: { demo: script, other: NETWORK },
    ...(host !== undefined && { host }),
    engine: { enforceRequirements },
  });
  await arrange?.(world);
  const server = await startHttpServer(world.engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER });
  closeAfterTest(server);
  const post = async (path: string): Promise<Response> =>
    fetch(`${server.url}/api/apps/demo/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  const preview = async () => Preview.parse(await (await post("preview")).json());
  return { world, post, preview };
}

const Refusal = z.object({ code: z.string(), hint: z.string() });

function matching(text: string | RegExp): unknown {
  return typeof text === "string" ? text : expect.stringMatching(text);
}

/** What a preview has against an install and does not refuse, whichever part of it says so. */
function adviceOf({ advice, requirements }: z.infer<typeof Preview>): readonly unknown[] {
  const unmet = requirements.advisory.filter(({ met }) => met === false);
  return [
    ...advice,
    ...unmet.map(({ required, found, hint }) => ({
      code: "REQUIREMENT_UNMET",
      message: `"${required}" is required; found: ${found}`,
      hint,
    })),
  ];
}

describe("POST preview names before the call, with what to do", () => {
  it.each(ROWS)("$names", async (row) => {
    const said = { code: row.code, message: matching(row.says), hint: matching(row.hint) };
    const { world, preview, post } = await serve(row, false);
    const before = world.host.script.changes().length;
    const shown = await preview();
    const errors = shown.problems.filter(({ severity }) => severity === "error");
    if (row.refuses === "enforced") {
      expect(adviceOf(shown)).toEqual([said]);
      expect(errors).toEqual([]);
    } else {
      expect(errors).toContainEqual(expect.objectContaining(said));
      await expectRefused(post, row.code);
    }
    expect(world.host.script.changes()).toHaveLength(before);
  });

  it.each(ROWS.filter(({ refuses }) => refuses === "enforced"))(
    "$names: where it is enforced, a refusal",
    async (row) => {
      const { world, preview, post } = await serve(row, true);
      const before = world.host.script.changes().length;
      const said = { code: row.code, message: matching(row.says), hint: matching(row.hint), severity: "error" };
      expect((await preview()).problems).toContainEqual(expect.objectContaining(said));
      await expectRefused(post, row.code);
      expect(world.host.script.changes()).toHaveLength(before);
    },
  );

  it.each(ROWS.filter(({ refuses }) => refuses === "enforced"))(
    "$names: where it is not, the install begins",
    async (row) => {
      const { post } = await serve(row, false);
      expect((await post("install")).status).toBe(202);
    },
  );
});

async function expectRefused(post: (path: string) => Promise<Response>, code: string): Promise<void> {
  const response = await post("install");
  expect([409, 422, 502]).toContain(response.status);
  expect(JSON.stringify(Refusal.parse(await response.json()))).toContain(code);
}
