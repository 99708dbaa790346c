/** A whole trial: looks, asks, plays, cleans up, reports. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openEngine } from "../../src/compose.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { makeNamedFolder, writeBelow } from "../../src/files/write-below.ts";
import { cleanUp } from "./clean-up.ts";
import { HostApi } from "./host-api.ts";
import { listMissingRoles, lookAtHost, Refused } from "./look.ts";
import type { TryOptions } from "./options.ts";
import { createReport, hideOptions, type Report, redact, writeReport } from "./report.ts";
import { playSteps } from "./steps.ts";
import { type Found, readReason, type TrialTerminal } from "./trial.ts";
import { APP, buildScript, listPaths } from "./trial-app.ts";

/** Tries a host; the report is written whatever happens, and returned as it was written. */
export async function tryHost(options: TryOptions, terminal: TrialTerminal, now: Date): Promise<Report> {
  const report = createReport(now);
  const hidden = hideOptions(options);
  let found: Found | null = null;
  try {
    const api = await HostApi.open(options);
    try {
      report.host = await describeHost(api, hidden.names);
      const seen = await lookAtHost(api, options);
      report.seesFiles = canSee(options);
      describeTrial(options, seen, report, await listMissingRoles(api), terminal.print);
      if (!options.yes && !(await terminal.confirm("Go on?"))) throw new Refused("not agreed to: nothing was changed");
      terminal.signal.throwIfAborted();
      found = seen;
      await playOnEngine(options, terminal, { api, found, hidden, report });
      report.ended = report.steps.some(({ state }) => state === "failed") ? "failed" : "whole";
    } finally {
      api.close();
    }
  } catch (error) {
    report.reason = readReason(error);
    report.ended = error instanceof Refused ? "refused" : "failed";
  }
  if (terminal.signal.aborted) report.ended = "interrupted";
  if (found !== null) {
    terminal.print("- clean up");
    report.left = await cleanUp(options, found, terminal.print);
  }
  const shown = redact(report, hidden);
  writeReport(options.report, shown);
  terminal.print(summarize(report, options.report));
  return shown;
}

type Parts = { readonly api: HostApi; readonly found: Found } & Pick<
  Parameters<typeof playSteps>[0],
  "hidden" | "report"
>;

async function playOnEngine(options: TryOptions, terminal: TrialTerminal, parts: Parts): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-try-host-"));
  try {
    const catalog = join(folder, "catalog");
    makeNamedFolder(catalog);
    const script = buildScript(options.location.id, parts.found.port);
    writeBelow({ root: catalog, path: `${APP}.json`, text: JSON.stringify(script), replaces: "nothing" });
    const { url, username, apiKey, tls, trustPlaintext, location, localRoot } = options;
    const opened = await openEngine({
      host: {
        ...{ kind: "rpc", url, username, apiKey, trustPlaintext, locations: { [location.id]: location.path } },
        ...(tls !== undefined && { tls }),
        ...(localRoot !== undefined && { localRoot }),
      },
      db: join(folder, "slipway.db"),
      catalog,
      production: true,
      unattended: false,
      logger: SILENT_LOGGER,
    });
    try {
      await playSteps({ options, terminal, engine: opened.engine, paths: listPaths(location), ...parts });
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function describeHost(api: HostApi, names: Map<string, string>): Promise<NonNullable<Report["host"]>> {
  const Info = z.object({ version: z.string(), hostname: z.string() });
  const { version, hostname } = Info.parse(await api.call("system.info"));
  names.set(hostname, "<host>");
  return { version, app: APP };
}

function canSee({ location, localRoot = "" }: TryOptions): boolean {
  try {
    return statSync(`${localRoot}${location.path}`).isDirectory();
  } catch {
    return false;
  }
}

function describeTrial(
  { location }: TryOptions,
  found: Found,
  { seesFiles, host }: Report,
  missing: readonly string[],
  print: (line: string) => void,
): void {
  const { top, data, share } = listPaths(location);
  print(
    [
      `This will be done on the host (${host?.version}), for some minutes:`,
      `  - the app "${APP}" ${found.newest} is installed from its catalog, at port ${found.port}`,
      `  - the datasets "${top}" and "${data}" are made, the second owned by apps`,
      `  - the folder "${share}" is shared by SMB; the SMB service is started if it does not run (${found.smb["state"]})`,
      "  - the app is updated after a snapshot, and rolled back",
      found.older === null
        ? "  - no upgrade: the catalog has no older version"
        : `  - it is uninstalled, installed in version ${found.older}, upgraded and rolled back`,
      `  - it is uninstalled with its data${seesFiles ? "" : ", which is left: this machine does not see the host's files"}`,
      "Then all of it is removed, also after Ctrl-C or a failure. Nothing else on the host is touched.",
      ...(missing.length === 0
        ? []
        : [`The account has not the roles ${missing.join(", ")}: steps or the clean-up may fail.`]),
    ].join("\n"),
  );
}

function summarize({ ended, reason, steps, left }: Report, file: string): string {
  const of = (state: string) => steps.filter((step) => step.state === state).length;
  return [
    `The trial ended ${ended}${reason === undefined ? "" : ` (${reason})`}: ${of("passed")} steps passed, ${of("failed")} failed, ${of("skipped")} skipped.`,
    left.length === 0 ? "Nothing is left on the host." : `${left.length} parts are left on the host, see above.`,
    `The report, without secrets: ${file}`,
  ].join("\n");
}
