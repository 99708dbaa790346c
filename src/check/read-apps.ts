/** The apps of a catalog, read one by one: each is let go of before the next but what its levels need. */
import { basename, join, resolve } from "node:path";
import compareVersions from "semver/functions/compare.js";
import type { AppSchemas } from "../adapters/app-schemas/found-schema.ts";
import { withValueProblems } from "../adapters/app-schemas/value-problems.ts";
import type { AuthorCheck } from "../adapters/catalog/file-check/author-check.ts";
import { createFileProblem } from "../adapters/catalog/file-problem.ts";
import { listScenarioFiles, listScripts, readAppId, readScenarioAppId } from "../adapters/catalog/list-scripts.ts";
import { noteRepeats, type ReadFile, validateFile } from "../adapters/catalog/validate-file.ts";
import { EngineError, type Problem } from "../core/codes/problems.ts";
import { compareText } from "../core/script/parse/place-problems.ts";
import type { Subject } from "./subject.ts";
import { coverValues } from "./value-coverage.ts";

/** An app by its files, unread. */
export interface ListedApp {
  readonly appId: string;
  readonly root: string;
  /** Its scripts, relative to the catalog. */
  readonly files: readonly string[];
  /** Where no script is there: the file of scenarios by which it is listed. */
  readonly stray?: string;
}

/**
 * The apps of a catalog by id, scenarios without an app among them, or those named. Throws `CATALOG_UNREADABLE`, and `CLI_USAGE` for an app the catalog does not
 * have.
 */
export async function listApps(catalog: string, wanted: readonly string[]): Promise<readonly ListedApp[]> {
  const root = resolve(catalog);
  const { names } = await listScripts(root);
  const byId = Map.groupBy(names, readAppId);
  const unknown = wanted.find((appId) => !byId.has(appId));
  if (unknown !== undefined) throw new EngineError("CLI_USAGE", `the catalog "${catalog}" has no app "${unknown}"`);
  if (wanted.length > 0) return [...new Set(wanted)].map((appId) => ({ appId, root, files: byId.get(appId) ?? [] }));
  const strays = new Map(
    (await listScenarioFiles(root))
      .map((stray) => [readScenarioAppId(stray), stray] as const)
      .filter(([appId]) => !byId.has(appId)),
  );
  const listed = [
    ...[...byId].map(([appId, files]): ListedApp => ({ appId, root, files })),
    ...[...strays].map(([appId, stray]): ListedApp => ({ appId, root, files: [], stray })),
  ];
  return listed.toSorted((one, other) => compareText(one.appId, other.appId));
}

/**
 * Reads and validates every file of an app; one that can't be read is a problem of it. The values of the newest are held
 * against the schema: it is that of the app's newest version.
 */
export async function readApp(
  { appId, root, files, stray }: ListedApp,
  authorCheck: AuthorCheck,
  schemas?: AppSchemas,
): Promise<Subject> {
  if (stray !== undefined) return createStray(appId, root, stray);
  const unnoted: ReadFile[] = [];
  // one after the other: an app may have as many versions as a catalog has files
  for (const file of files) unnoted.push(await readFile(join(root, file), authorCheck));
  const [found, ...others] = noteRepeats(unnoted).toSorted(compareAge);
  const newest = found === undefined ? found : await withValueProblems(found, schemas);
  const problems = [...(newest === undefined ? [] : [newest]), ...others]
    .toSorted((a, b) => compareText(a.file, b.file))
    .flatMap((file) =>
      file.problems.map((problem): Problem => ({ ...problem, file: problem.file ?? basename(file.file) })),
    );
  const { text = "", dictionary = null } = newest ?? {};
  const earlier = others.map((other) => ({ ...other, name: basename(other.file) }));
  const judged = schemas === undefined || dictionary === null ? {} : { judged: await coverValues(dictionary, schemas) };
  return {
    appId,
    root,
    file: basename(newest?.file ?? `${appId}.json`),
    text,
    dictionary,
    problems,
    earlier,
    ...judged,
  };
}

/** Scenarios nothing plays: as an app that is refused, so that they are seen. */
function createStray(appId: string, root: string, file: string): Subject {
  const message = `the catalog has no app "${appId}": nothing plays the scenarios of "${file}"`;
  const problems = [createFileProblem("CHECK_SCENARIO_INVALID", file, message)];
  return { appId, root, file, text: "", dictionary: null, problems, earlier: [] };
}

async function readFile(file: string, authorCheck: AuthorCheck): Promise<ReadFile> {
  try {
    return await validateFile(file, authorCheck);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const problems = [createFileProblem("CATALOG_FILE_UNREADABLE", basename(file), error.message)];
    return { file, version: null, usable: false, problems, dictionary: null, text: "" };
  }
}

/** The newest first; one that is refused last. */
function compareAge(one: ReadFile, other: ReadFile): number {
  const [a, b] = [one.dictionary?.script.version, other.dictionary?.script.version];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareVersions(b, a);
}
