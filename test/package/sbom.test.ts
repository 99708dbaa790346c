import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a reader of CycloneDX 1.5 relies on. */
const Bom = z.object({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.5.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.object({
    timestamp: z.iso.datetime(),
    component: z.object({ "bom-ref": z.string(), purl: z.string().startsWith("pkg:npm/slipway@") }),
  }),
  components: z.array(
    z.object({
      "bom-ref": z.string(),
      type: z.literal("library"),
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith("pkg:npm/"),
      hashes: z.array(z.object({ alg: z.literal("SHA-512"), content: z.string().regex(/^[0-9a-f]{128}$/) })).nonempty(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const Package = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

describe("npm run sbom", () => {
  let bom: z.infer<typeof Bom>;
  const { dependencies, devDependencies } = Package.parse(JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")));

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "sbom"], {
      cwd: ROOT,
      maxBuffer: 16 * 1024 ** 2,
    });
    bom = Bom.parse(JSON.parse(stdout));
  });

  it("lists every production dependency with its version and hash, and no tool of development", () => {
    const names = new Set(bom.components.map(({ name }) => name));
    expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
    // An optional peer of a prompt library, so that it may be there.
    const tools = Object.keys(devDependencies).filter((name) => name !== "@types/node");
    expect(tools.filter((name) => names.has(name))).toEqual([]);
  });

  it("names in its dependencies only components it lists", () => {
    const known = new Set([
      bom.metadata.component["bom-ref"],
      ...bom.components.map((component) => component["bom-ref"]),
    ]);
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  });
});
