import { posix } from "node:path";
import { z } from "zod";
import { isJson } from "../../../core/json/json.ts";
import { HostError } from "../../../engine/host-error.ts";
import type { Host } from "../../../engine/ports/host.ts";
import type { Session } from "../session.ts";

/** Levels of nesting read of an app's questions; real ones have up to 40. */
const MOST_LEVELS = 200;

const Version = z.object({
  schema: z.object({ questions: z.array(z.json()) }),
  location: z.string().nullish(),
});
const Details = z.object({ location: z.string(), versions: z.record(z.string(), z.unknown()).default({}) });

/** What a version has beside its questions if it rewrites the values of older ones. */
const MIGRATIONS = ["app_migrations.yaml", "migrations"];

/** Asks the host's catalog for the questions of one version (docs/host-api.md, section 6). */
export function createAppQuestions(session: Session, stat: Host["stat"]): Host["appQuestions"] {
  return async ({ catalogApp, train, version }) => {
    const details = await askDetails(session, catalogApp, train);
    const row = details?.versions[version];
    if (details === null || !isJson(row, MOST_LEVELS)) return null;
    const read = Version.safeParse(row);
    const questions = read.data?.schema.questions ?? [];
    if (questions.length === 0) return null;
    const folder = read.data?.location ?? posix.join(details.location, version);
    return { questions, migrates: await hasMigrations(stat, folder) };
  };
}

async function askDetails(session: Session, app: string, train: string): Promise<z.infer<typeof Details> | null> {
  try {
    return await session.call("catalog.get_app_details", [app, { train }], Details);
  } catch (error) {
    if (error instanceof HostError && error.code === "HOST_NOT_FOUND") return null;
    throw error;
  }
}

/** Whether a version has migrations. If the host does not say, it may have some. */
async function hasMigrations(stat: Host["stat"], folder: string): Promise<boolean> {
  try {
    const found = await Promise.all(MIGRATIONS.map((name) => stat(posix.join(folder, name))));
    return found.some((path) => path !== null);
  } catch (error) {
    if (error instanceof HostError) return true;
    throw error;
  }
}
