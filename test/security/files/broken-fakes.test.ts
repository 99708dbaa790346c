/** A fake of a catalog that can't be read is the fault of its file: whoever serves the catalog goes on. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rawScript } from "../../support/scripts/scripts.ts";
import { createSlipwayFolder, endOf, startSlipway, untilOutput } from "../../support/slipway-process.ts";

test("`serve` and `dev` start with a broken fake, and say where it is broken", async () => {
  const folder = createSlipwayFolder({ "app.json": rawScript(), "other.json": rawScript() });
  onTestFinished(() => folder.remove());
  folder.write("catalog/standin/app.json", '[\n  { "path": "/" },\n  { "url": "/" }\n]');
  folder.write("catalog/standin/other.json", '[{ "path": "/name", "body": "ada" }]');
  for (const command of ["serve", "dev"]) {
    const child = startSlipway([command, ...folder.engine, "--listen", "127.0.0.1:0", "--no-token"]);
    try {
      const told = await untilOutput(child, /^\{"url".*\}$/m);
      expect(told).toContain("a fake can't be used: its app answers nothing");
      expect(told).toContain(JSON.stringify({ file: join(folder.catalog, "standin/app.json"), line: 3 }).slice(1, -1));
    } finally {
      child.kill("SIGTERM");
      expect(await endOf(child)).toMatchObject({ exitCode: 0 });
    }
  }
});
