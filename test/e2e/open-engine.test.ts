/** What `openEngine` passes on: every choice an embedder has with `createEngine` has its effect through it. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { EngineChoice } from "../../src/compose.ts";
import type { ProviderRequest } from "../../src/engine/ports/providers.ts";
import { openStandinEngine, type StandinEngine } from "../support/engine/standin-engine.ts";
import { PIN_FLOW, rawHook } from "../support/scripts/scripts.ts";

let opened: StandinEngine | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(choice: Partial<EngineChoice>, script: Record<string, unknown> = {}): Promise<StandinEngine> {
  opened = await openStandinEngine(["shop"], { allowWeakSandbox: true, ...choice });
  await opened.publish({ shop: script });
  return opened;
}

async function install({ engine }: StandinEngine): Promise<string> {
  return (await engine.settled((await engine.install("shop")).id)).state;
}

describe("openEngine offers what createEngine does:", () => {
  test("requirements are enforced where the choice says so", async () => {
    const requirements = { locations: [], specifications: ["999CORE"], permissions: [], ports: [] };
    const strict = await open({ enforceRequirements: true }, { requirements });
    await expect(strict.engine.install("shop")).rejects.toMatchObject({
      details: { problems: [expect.objectContaining({ code: "REQUIREMENT_UNMET", severity: "error" })] },
    });
    await strict.close();
    expect(await install(await open({}, { requirements }))).toBe("COMPLETED");
  });

  test("a trusted widget may send more than GET and HEAD", async () => {
    const widget = {
      id: "tile",
      title: "Tile",
      scriptContent: `export async function query(ctx) {
        const sent = await fetch("http://" + ctx.host + ":" + ctx.port + "/save", { method: "POST" }).then(
          ({ status }) => String(status), (error) => error.name);
        return { fields: { sent: { type: "text", text: sent } } };
      }`,
      entrypoint: "query",
      refresh: 60,
    };
    const values = { network: { web_port: { bind_mode: "published", port_number: 31_477 } } };
    const script = { widgetsSchema: 2, widgets: [widget], app_values: values };
    const asked: string[] = [];
    const trustedWidget = (appId: string, widgetId: string) => {
      asked.push(`${appId}/${widgetId}`);
      return true;
    };
    for (const choice of [{ trustedWidget }, {}]) {
      const it = await open(choice, script);
      expect(await install(it)).toBe("COMPLETED");
      const shown = await it.engine.queryWidget("shop", "tile");
      const sent = Object(shown.fields?.["sent"]).text;
      if (choice.trustedWidget === undefined) expect(sent).not.toMatch(/^\d+$/);
      else expect(sent).toMatch(/^\d+$/);
      await it.close();
    }
    expect(asked).toContain("shop/tile");
  });

  test("sign-ins go through the providers given", async () => {
    const asked: ProviderRequest[] = [];
    const ask = async (request: ProviderRequest) => {
      asked.push(request);
      return { status: 200, text: JSON.stringify({ id: 7, code: "AB12" }) };
    };
    const input = { type: "oauth", id: "account", name: "Account", provider: "test", flow: PIN_FLOW };
    const hook = rawHook({ id: "sign-in", inputs: [input], surfaces: ["card"] });
    const it = await open({ providers: { ask } }, { hooks: [hook] });
    await install(it);
    const { id } = await it.engine.runAction("shop", "sign-in");
    await expect.poll(() => JSON.stringify(it.engine.task(id)?.waitingFor)).toContain("AB12");
    expect(asked[0]).toMatchObject({ method: "POST", url: PIN_FLOW.pinUrl });
  });

  test("the witness stands where the choice says", async () => {
    const dir = mkdtempSync(join(tmpdir(), "slipway-witness-"));
    const witness = join(dir, "elsewhere.witness");
    expect(await install(await open({ witness }))).toBe("COMPLETED");
    expect(existsSync(witness)).toBe(true);
    await opened?.close();
    rmSync(dir, { recursive: true });
  });

  test("no more hooks run at once than the choice says", async () => {
    const scriptContent = `export async function run(ctx) {
      await ctx.emitCheckpoint("in");
      await ctx.sleep(300);
      await ctx.emitCheckpoint("out");
    }`;
    const hooks = ["one", "two", "three"].map((id) => rawHook({ id, scriptContent, surfaces: ["card"] }));
    const it = await open({ concurrency: { hook: 1, widget: 1 } }, { hooks });
    await install(it);
    const runs = await Promise.all(["one", "two", "three"].map((id) => it.engine.runAction("shop", id)));
    let most = 0;
    const ended = new AbortController();
    const watching = (async () => {
      for await (const _ of it.engine.watch(it.engine.lastSeq(), ended.signal)) {
        const running = runs.filter(({ id }) => {
          const states = it.engine.task(id)?.checkpoints.map(({ id: name }) => name) ?? [];
          return states.includes("in") && !states.includes("out");
        });
        most = Math.max(most, running.length);
      }
    })();
    const seen = await Promise.all(runs.map(({ id }) => it.engine.settled(id)));
    ended.abort();
    await watching;
    expect(seen.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
    expect(most).toBe(1);
  });
});
