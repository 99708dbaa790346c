import type { ImportedApp, ImportPreview } from "../../engine/api.ts";

const POLICIES = {
  set: ["  upgrade policies: set at the end"],
  kept: ["  upgrade policies: those of this box stay"],
  none: [],
} as const;

const HOW = { install: "install", adopt: "adopt", present: "is here" } as const;

/** The lines that tell a person what an import does. */
export function renderImport({ made, apps, links, leftOut, missingLocations, policies }: ImportPreview): string[] {
  return [
    `An export of ${made}`,
    ...apps.map((app) => `  ${HOW[app.how]}: ${app.name}${describeNotes(app)}`),
    ...links.map(({ runsOnAppId, hookId, targets }) => `  link: ${runsOnAppId} with ${targets.join(", ")} (${hookId})`),
    ...POLICIES[policies],
    ...leftOut.map(({ appId, hookId, message }) => `  left out: ${appId}${hookId ? ` (${hookId})` : ""}: ${message}`),
    ...missingLocations.map((id) => `  this box has no location "${id}": answers below it stay as they are`),
  ];
}

function describeNotes({ script: { exported, here, isSame }, unused, adopted }: ImportedApp): string {
  const notes = [
    ...(here !== undefined && here !== exported ? [`script ${here}, there ${exported}`] : []),
    ...(here === exported && isSame === false ? [`script ${here} is another file than there`] : []),
    ...listKeys("not asked for any more", unused),
    ...listKeys("answered by the export", adopted?.fromExport),
    ...listKeys("stays as it is here, other than in the export", adopted?.other),
    ...listKeys("unknown", adopted?.unknown),
  ];
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}

function listKeys(what: string, keys: readonly string[] = []): readonly string[] {
  return keys.length === 0 ? [] : [`${what}: ${keys.join(", ")}`];
}
