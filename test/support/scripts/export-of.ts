import { type ExportContents, writeExport } from "../../../src/engine/move/export-file.ts";

/** The text of an export of one app, made of script 1.0.0 without answers, with whatever a test changes. */
export function exportOf(appId: string, changes: Partial<ExportContents> = {}): string {
  return writeExport(
    {
      slipway: "export",
      version: 1,
      made: "2026-01-31T12:00:00.000Z",
      locations: {},
      apps: [{ appId, version: "1.0.0", script: { version: "1.0.0" }, answers: {}, consents: {} }],
      links: [],
      policies: { all: { mode: "manual" }, apps: {} },
      ...changes,
    },
    null,
  );
}
