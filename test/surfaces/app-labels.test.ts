import { describe, expect, it } from "vitest";
import { buildPairingIndex } from "../../src/core/hooks/pairings.ts";
import { createAppLabels } from "../../src/engine/surfaces/app-labels.ts";
import type { CatalogView } from "../../src/engine/surfaces/catalog-view.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { createScriptedHost } from "../support/host/scripted-host.ts";
import { createTestClock } from "../support/test-clock.ts";

const APPS = 10_000;
const offered = (title: string) => ({ train: "stable", title, icon: `${title}.png`, versions: ["1.0.0"] });
const catalog = Object.fromEntries(Array.from({ length: APPS }, (_, at) => [`app-${at}`, offered(`App ${at}`)]));
const VIEW: CatalogView = { apps: new Map(), hidden: new Set(), index: buildPairingIndex([]) };

function labels(changes: Partial<ReturnType<typeof createScriptedHost>> = {}) {
  const clock = createTestClock();
  const host = createScriptedHost({ catalog });
  return { clock, host, labels: createAppLabels({ ...host, ...changes }, clock, SILENT_LOGGER) };
}

describe("labels of apps without metadata", () => {
  it(`of ${APPS} apps cost the host one call`, async () => {
    const { host, labels: read } = labels();
    const found = await Promise.all(Object.keys(catalog).map((id) => read.of(id, VIEW)));
    expect(found[77]).toEqual({ appId: "app-77", name: "App 77", icon: "App 77.png" });
    expect(host.script.calls.map(({ method }) => method)).toEqual(["app.available"]);
  });

  it("are the raw id where the host knows no such app", async () => {
    expect(await labels().labels.of("nowhere", VIEW)).toEqual({ appId: "nowhere", name: "nowhere", icon: "" });
  });

  it("are the raw id while the host can't be asked, and are asked for again after half a minute", async () => {
    const { clock, host, labels: read } = labels();
    const fault = { code: "HOST_UNREACHABLE", reason: "away", fields: [], retryable: true } as const;
    host.script.refuse("app.available", fault, "no");
    expect(await read.of("app-1", VIEW)).toMatchObject({ name: "app-1" });
    clock.advance(29_999);
    expect(await read.of("app-1", VIEW)).toMatchObject({ name: "app-1" });
    const before = read.revision;
    clock.advance(1);
    expect(await read.of("app-1", VIEW)).toMatchObject({ name: "App 1" });
    expect(read.revision).toBeGreaterThan(before);
  });

  it("are known beside an id only once the host has told them: nobody is asked for that", async () => {
    const { host, labels: read } = labels();
    expect(read.known("app-1", VIEW)).toBeUndefined();
    expect(host.script.calls).toEqual([]);
    await read.of("app-1", VIEW);
    expect([read.known("app-1", VIEW), read.known("nowhere", VIEW)]).toEqual(["App 1", undefined]);
  });

  it("wait two seconds for a silent host, not longer, and follow its late answer", async () => {
    const late = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof createScriptedHost>["availableApps"]>>>();
    const { clock, labels: read } = labels({ availableApps: () => late.promise });
    const label = read.of("app-1", VIEW);
    clock.advance(2_000);
    expect(await label).toMatchObject({ name: "app-1" });
    const before = read.revision;
    late.resolve(await createScriptedHost({ catalog }).availableApps());
    await expect.poll(() => read.revision).toBeGreaterThan(before);
    expect(await read.of("app-1", VIEW)).toMatchObject({ name: "App 1" });
  });
});
