/**
 * `npm run --silent sbom`: the production dependencies as CycloneDX 1.5, made of the lock file. npm's own `--omit dev` also
 * drops what a tool of development needs beside the engine, so all of it is asked for and sorted here.
 */
import { spawnSync } from "node:child_process";
import { z } from "zod";

const DEVELOPMENT = "cdx:npm:package:development";

const Component = z.looseObject({
  "bom-ref": z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
});
const Bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const made = spawnSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  maxBuffer: 64 * 1024 ** 2,
});
const bom = Bom.parse(JSON.parse(made.stdout));
const components = bom.components.filter(({ properties }) => !properties.some(({ name }) => name === DEVELOPMENT));
const kept = new Set([bom.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
const dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) }));
console.log(JSON.stringify({ ...bom, components, dependencies }, null, 2));
