import type { UninstallPreview } from "../../engine/api.ts";

const ANSWERS = {
  kept: "  answers and generated secrets are kept: a reinstall offers them",
  forgotten: "  answers and generated secrets are forgotten once none of its directories is left",
  none: "  no answers or secrets are stored",
} as const;

/** The lines that tell a person what an uninstall does. */
export function renderUninstall({
  name,
  directories,
  shares,
  removesVolumes,
  answers,
  links,
}: UninstallPreview): string[] {
  return [
    `Uninstalling ${name}`,
    ...directories.map(({ path, fate, reason }) => {
      if (fate === "removed") return `  removed after a snapshot: ${path}`;
      return `  kept: ${path}${reason === undefined ? "" : ` (${reason})`}`;
    }),
    ...shares.map(({ name, path, leadsTo }) =>
      leadsTo === "data"
        ? `  stays shared: ${path} as "${name}"`
        : `  stays, and leads to nothing: the share "${name}" of ${path}`,
    ),
    ...(removesVolumes ? ["  removed without a snapshot: the volumes the host keeps for the app"] : []),
    ANSWERS[answers],
    ...links.map(({ title, target }) => `  ends: "${title}" with ${target.name}`),
  ];
}
