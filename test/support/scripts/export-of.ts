import { type ExportContents, writeExport } from "../../../src/engine/move/export-file.ts";

/** What an export says of an app, set up by script 1.0.0 without answers. */
export const exportedApp = (appId: string): ExportContents["apps"][number] => ({
  appId,
  version: "1.0.0",
  script: { version: "1.0.0" },
  answers: {},
  consents: {},
});

/** The text of an export of one such app, with whatever a test changes. */
export function exportOf(appId: string, changes: Partial<ExportContents> = {}): string {
  return writeExport(
    {
      slipway: "export",
      version: 1,
      made: "2026-01-31T12:00:00.000Z",
      locations: {},
      apps: [exportedApp(appId)],
      links: [],
      policies: { all: { mode: "manual" }, apps: {} },
      ...changes,
    },
    null,
  );
}
