/** Trials of `npm run try-host` on a stand-in, in this process. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Report } from "../../../scripts/try-host/report.ts";
import { tryHost } from "../../../scripts/try-host/run.ts";
import type { TrialTerminal } from "../../../scripts/try-host/trial.ts";
import { APP, buildScript } from "../../../scripts/try-host/trial-app.ts";
import type { HostGeneration } from "../../../src/standin/settings.ts";
import type { StandinHost } from "../../../src/standin/standin.ts";
import { startStandin, temporaryDirectory } from "../engine/standin-client.ts";

/** The location trials use. */
export const TRIAL_PATH = "/mnt/tank/Media";

/** What the host says its address is: reached over TLS it counts as a real one, and has an address in a LAN. */
export const LAN_IP = "192.0.2.10";

/** A host whose catalog has the trial's app in two versions; `speed` divides the stand-in's durations. */
export async function startTrialHost(generation: HostGeneration = "25.10", speed = 100): Promise<StandinHost> {
  const folder = temporaryDirectory();
  const catalog = join(folder, "catalog");
  mkdirSync(catalog);
  writeFileSync(join(catalog, `${APP}.json`), JSON.stringify(buildScript("Media", 30_092)));
  const network = { reached: LAN_IP, inUse: [LAN_IP] };
  const username = "trial-admin";
  return startStandin({ dir: join(folder, "host"), generation, speed, catalogs: [catalog], username, network });
}

/** What a host holds, and its files. */
export function contentOf({ control, dir }: StandinHost) {
  const { apps, datasets, snapshots, shares, smbRunning, smbEnabled, ownership } = structuredClone(control.state());
  const files = readdirSync(join(dir, "mnt"), { recursive: true }).toSorted();
  return { apps, datasets, snapshots, shares, smbRunning, smbEnabled, ownership, files };
}

interface Changes {
  readonly url?: string;
  readonly path?: string;
  readonly key?: string;
  /** false: this machine does not see the host's files. */
  readonly sees?: boolean;
  readonly yes?: boolean;
  readonly terminal?: Partial<TrialTerminal>;
}

export interface Tried {
  readonly report: Report;
  /** The report file as it is on disk. */
  readonly text: string;
  readonly printed: string;
}

/** Tries a host to the end; nobody is asked. */
export async function tryOn(host: StandinHost, changes: Changes = {}): Promise<Tried> {
  const report = join(temporaryDirectory(), "report.json");
  const lines: string[] = [];
  const { print, ...terminal } = changes.terminal ?? {};
  const options = {
    url: changes.url ?? host.url,
    username: host.username,
    apiKey: changes.key ?? host.apiKey,
    trustPlaintext: true,
    location: { id: "Media", path: changes.path ?? TRIAL_PATH },
    ...(changes.sees !== false && { localRoot: host.dir }),
    report,
    yes: changes.yes ?? true,
  };
  const watching = {
    confirm: async () => false,
    signal: new AbortController().signal,
    ...terminal,
    print: (line: string) => {
      lines.push(line);
      print?.(line);
    },
  };
  await tryHost(options, watching, new Date());
  const text = readFileSync(report, "utf8");
  return { report: Report.parse(JSON.parse(text)), text, printed: lines.join("\n") };
}

/** The steps that failed, with the checks that did. */
export function failuresOf({ steps }: Report) {
  return steps
    .filter(({ state }) => state === "failed")
    .map(({ step, reason, checks }) => ({ step, reason, checks: checks.filter(({ ok }) => !ok) }));
}
