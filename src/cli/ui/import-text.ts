import type { ImportedApp, ImportPreview } from "../../engine/api.ts";

const POLICIES = {
  set: ["  upgrade policies: set at the end"],
  kept: ["  upgrade policies: those of this box stay"],
  none: [],
} as const;

/** The lines that tell a person what an import does. */
export function renderImport({ made, apps, links, leftOut, missingLocations, policies }: ImportPreview): string[] {
  return [
    `An export of ${made}`,
    ...apps.map((app) => `  ${app.how === "install" ? "install" : "is here"}: ${app.name}${describeScript(app)}`),
    ...links.map(({ runsOnAppId, hookId, targets }) => `  link: ${runsOnAppId} with ${targets.join(", ")} (${hookId})`),
    ...POLICIES[policies],
    ...leftOut.map(({ appId, hookId, message }) => `  left out: ${appId}${hookId ? ` (${hookId})` : ""}: ${message}`),
    ...missingLocations.map((id) => `  this box has no location "${id}": answers below it stay as they are`),
  ];
}

function describeScript({ script: { exported, here, isSame }, unused }: ImportedApp): string {
  const notes = [
    ...(here !== undefined && here !== exported ? [`script ${here}, there ${exported}`] : []),
    ...(here === exported && isSame === false ? [`script ${here} is another file than there`] : []),
    ...(unused.length > 0 ? [`not asked for any more: ${unused.join(", ")}`] : []),
  ];
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}
