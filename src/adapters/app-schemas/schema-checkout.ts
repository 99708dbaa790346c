/** A checkout of the host's catalog: `trains/<train>/<app>/<version>/questions.yaml`, of each app the newest version. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { rcompare, valid } from "semver";
import { readFileBelow } from "../../../sandbox/files/read-below.ts";
import { parseQuestions } from "../../core/app-values/parse-questions.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { getOwn } from "../../core/script/parse/read-fields.ts";
import { type AppSchemas, type FoundSchema, toFound } from "./found-schema.ts";
import { readYaml } from "./read-yaml.ts";

/** Largest `questions.yaml` in bytes; the largest of the public catalog has about 200 KB. */
const MOST_BYTES = 1024 * 1024;

/** Lists the apps; each schema is read when it is asked for. Throws `CLI_FILE_INVALID` if there is no train. */
export async function openSchemaCheckout(root: string): Promise<AppSchemas> {
  const trains = (await listFolders(join(root, "trains"))).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const trainOf = new Map<string, string>();
  for (const train of trains) {
    for (const app of await listFolders(join(root, "trains", train))) if (!trainOf.has(app)) trainOf.set(app, train);
  }
  if (trainOf.size === 0) {
    const message = `"${root}" is no checkout of the host's catalog: it has no "trains/<train>/<app>"`;
    throw new EngineError("CLI_FILE_INVALID", message, { file: root });
  }
  const found = new Map<string, Promise<FoundSchema>>();
  return {
    find: (app) => {
      const known = found.get(app) ?? readSchema(root, trainOf, app);
      found.set(app, known);
      return known;
    },
  };
}

function rank(train: string): number {
  return train === "stable" ? 0 : 1;
}

async function readSchema(root: string, trainOf: ReadonlyMap<string, string>, app: string): Promise<FoundSchema> {
  const train = trainOf.get(app);
  if (train === undefined) return { kind: "unknown", apps: [...trainOf.keys()] };
  const folder = join("trains", train, app);
  const versions = (await listFolders(join(root, folder))).filter((name) => valid(name) !== null);
  const [version] = versions.toSorted(rcompare);
  if (version === undefined) return { kind: "faulty", reason: `"${folder}" has no folder of a version` };
  const path = join(folder, version, "questions.yaml");
  const read = await readFileBelow({ root, path }, MOST_BYTES);
  if (!read.ok) return { kind: "faulty", reason: `"${path}" can't be read (${read.code})` };
  const document = readYaml(read.bytes.toString("utf8"));
  if (!document.ok) return { kind: "faulty", reason: `"${path}": ${document.reason}` };
  const { questions, faults } = parseQuestions(getOwn(document.value, "questions"));
  return toFound({ app, train, version, questions }, faults);
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
