/**
 * What a browser loads later, in a few files: many small ones compress badly and are asked for one by one. Modules that
 * are imported when they are first needed come with the others of their group.
 */
import { join, resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Namespace of the modules that stand for a group. */
export const LAZY_GROUP = "lazy-group";

/** Below `src/web`: what is loaded in any case, and so needs no file of its own where groups have it in common. */
const FIRST = "first-load.ts";

/** Modules below `src/web` that come together, in the order that compresses best, found by trying. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  de: ["ui/words/de.ts"],
  // One file, not one for apps and one for tasks: that would be 1.5 kB more. Drawings are first: between programs they would
  // part what compresses well together.
  later: [
    "elements/machine/machine-view.ts",
    "elements/log/log-view.ts",
    "elements/machine/charts.ts",
    "elements/files/files-view.ts",
    "elements/apps/catalog-view.ts",
    "elements/drift.ts",
    "elements/app-page/page-view.ts",
    "elements/audit.ts",
    "elements/health.ts",
    "elements/upgrades/upgrades.ts",
    "elements/upgrades/upgrade-policy.ts",
    "elements/dialog/inputs/inputs.ts",
    "elements/notifications.ts",
    "elements/task.ts",
    "elements/dialog/install/install.ts",
    "elements/dialog/change/upgrade.ts",
    "elements/dialog/confirm/uninstall.ts",
    "elements/dialog/confirm/rollback.ts",
    "elements/dialog/confirm/adopt.ts",
    "elements/dialog/change/options.ts",
  ],
};

/** Answers an import that comes later with its group. Throws for a module that is in none. */
export function lazyGroups(sources: string): Plugin {
  const groupOf = new Map(
    Object.entries(GROUPS).flatMap(([group, files]) => files.map((file) => [join(sources, file), group] as const)),
  );
  return {
    name: "lazy-groups",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const file = resolve(resolveDir, path);
        const group = groupOf.get(file);
        if (group === undefined) throw new Error(`${file} is in no group of scripts/build/lazy-groups.ts`);
        return { path: group, namespace: LAZY_GROUP };
      });
      onLoad({ filter: /.*/, namespace: LAZY_GROUP }, ({ path }) => ({
        contents: [FIRST, ...(GROUPS[path] ?? [])].map((file) => `export * from "./${file}";`).join("\n"),
        resolveDir: sources,
      }));
    },
  };
}
