/** "What will happen", in the order it does. */
import type { Preview, Problem } from "../../../api/types.ts";
import type { IconName } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";

type PreviewedApp = Pick<Preview, "name" | "directories" | "hooks">;
type Directory = PreviewedApp["directories"][number];

/** A line of it: `text` has `{path}` where `path` stands. */
export interface Effect {
  readonly icon: IconName;
  readonly text: string;
  readonly path?: string;
  readonly note?: string;
}

/** The effects of an install; its links are named apart from them. */
export function listInstallEffects(words: Words, preview: Pick<Preview, "installs"> & PreviewedApp): readonly Effect[] {
  const { happens } = words.dialog;
  return [
    ...listAppEffects(words, preview),
    ...preview.installs.flatMap((target): readonly Effect[] => [
      { icon: "package", text: happens.installs(target.name) },
      ...listAppEffects(words, target),
    ]),
  ];
}

/** What a host has less of than the script asks for: told, never enforced. */
export function listShortages({ requirements }: Pick<Preview, "requirements">): Preview["requirements"]["advisory"] {
  return requirements.advisory.filter(({ met }) => met === false);
}

/** Whether a problem names a place of the request, not one of a script. */
export function isOfRequest({ path: [part] }: Problem): boolean {
  return part === "answers" || part === "consents" || part === "inputs" || part === "links";
}

function listAppEffects(words: Words, { name, directories, hooks }: PreviewedApp): readonly Effect[] {
  const { happens } = words.dialog;
  const runs = (event: string, note: string) =>
    hooks
      .filter((hook) => hook.event === event && hook.fires)
      .map(({ title }): Effect => ({ icon: "list-checks", text: happens.runs(title), note }));
  return [
    ...directories.flatMap((directory) => describeDirectory(words, directory)),
    ...runs("onBeforeInstall", happens.beforeInstall),
    { icon: "package", text: happens.creates(name) },
    ...runs("onAfterInstall", happens.afterInstall),
  ];
}

/** A folder without a path can't be resolved yet: a problem says why. */
function describeDirectory(words: Words, { path, root, share, snapshot }: Directory): readonly Effect[] {
  const { happens } = words.dialog;
  if (path === null) return [];
  if (root) return share ? [{ icon: "server", text: happens.shares, path }] : [];
  const notes = [...(share ? [happens.shared] : []), ...(snapshot === undefined ? [] : [happens.snapshot])];
  return [{ icon: "folder", text: happens.folder, path, ...(notes.length > 0 && { note: notes.join(", ") }) }];
}
