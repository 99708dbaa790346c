import { posix } from "node:path";
import { EngineError } from "../../core/codes/problems.ts";
import { checkWrittenPath } from "../../core/hooks/selected-files.ts";
import { normalisePath } from "../../core/plan/directory-path.ts";
import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { FileEntryView, Folder } from "../api.ts";
import { findOutermostLocation } from "../effects/files/declared-path.ts";
import type { FolderEntry, FolderFault, Folders } from "../ports/folders.ts";
import type { Host } from "../ports/host.ts";
import type { FolderRequest } from "../requests.ts";
import { HOST_ANSWER_MS, type HostAnswers } from "./host-answers.ts";

export interface FileDeps {
  readonly folders: Folders;
  readonly answers: Pick<HostAnswers, "facts">;
  readonly host: Pick<Host, "localPath">;
}

/** Entries of a page where nobody says how many. */
const PAGE = 200;

/** Lists a folder at or below a location, or the locations. Throws `FILE_*`; rejects as a host never heard does. */
export async function listFiles(deps: FileDeps, { path, after, limit = PAGE }: FolderRequest): Promise<Folder> {
  const { locations } = (await deps.answers.facts(HOST_ANSWER_MS)).value;
  if (path === undefined) return { entries: listLocations(locations), whole: true };
  const fault = checkWrittenPath(path);
  if (fault !== null) throw new EngineError("FILE_OUTSIDE", fault);
  const wanted = normalisePath(path);
  const location = findOutermostLocation(wanted, locations);
  if (location === null) throw new EngineError("FILE_OUTSIDE", `"${wanted}" lies in none of the host's locations`);
  const page = await deps.folders.list({
    root: deps.host.localPath(location),
    path: posix.relative(location, wanted),
    names: [location],
    ...(after !== undefined && { after }),
    limit,
  });
  if (!page.ok) throw createFault(page, wanted);
  const { next, whole } = page;
  const entries = page.entries.map((entry) => viewEntry(wanted, entry));
  return { path: wanted, entries, ...(next !== undefined && { next }), whole };
}

function listLocations(locations: Readonly<Record<string, string>>): readonly FileEntryView[] {
  return Object.entries(locations)
    .map(([name, path]) => ({ name, label: name, path, kind: "folder" as const, isLink: false }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function viewEntry(folder: string, { name, kind, isLink, size, modified }: FolderEntry): FileEntryView {
  const at = modified === undefined ? null : toTime(modified);
  return {
    name,
    label: showControlCharacters(name).replaceAll("\n", "␊").replaceAll("\t", "␉"),
    path: posix.join(folder, name),
    kind,
    isLink,
    ...(size !== undefined && { size }),
    ...(at !== null && { modified: at }),
  };
}

/** null for a moment no calendar has: whoever owns a file says when it was changed. */
function toTime(ms: number): string | null {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function createFault({ fault }: FolderFault, path: string): EngineError {
  switch (fault) {
    case "outside":
      return new EngineError("FILE_OUTSIDE", `"${path}" leads out of its location`);
    case "missing":
      return new EngineError("FILE_UNKNOWN", `"${path}" does not exist`);
    case "not a folder":
      return new EngineError("FILE_NOT_FOLDER", `"${path}" is not a folder`);
    case "unreadable":
      return new EngineError("FILE_UNREADABLE", `"${path}" can't be read`);
  }
}
