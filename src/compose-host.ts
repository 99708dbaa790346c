/** The host an engine is opened with: a real one, or a stand-in that offers the catalog's apps. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withSync } from "./adapters/catalog/with-sync.ts";
import { createHostRpc, type HostRpcOptions } from "./adapters/host-rpc/create-host-rpc.ts";
import type { Catalog } from "./engine/ports/catalog.ts";
import type { Clock, Logger } from "./engine/ports/environment.ts";
import type { OwnHost } from "./engine/ports/own-host.ts";
import type { AppAnswers } from "./standin/apps/answers.ts";
import { inspectTables, readTables } from "./standin/apps/read-tables.ts";
import { askControl } from "./standin/control/ask-control.ts";
import { joinStandin } from "./standin/join.ts";
import { STANDIN_LOCATIONS, STANDIN_OPTIONAL_LOCATIONS } from "./standin/locations.ts";

/** Which host to work with. */
export type HostChoice =
  | {
      /** A stand-in process whose state lies beside the database; joined when it runs, else started. */
      readonly kind: "standin";
      /** Divides every duration of its lifecycle. */
      readonly speed?: number;
      /** Seconds without a client and without a job after which it ends (30). */
      readonly idleExitS?: number;
      /**
       * Answers of apps over HTTP, by app id, or a folder of `<app id>.json` with such tables. Default: the folder
       * `standin` of the catalog, where there is one.
       */
      readonly answers?: string | Readonly<Record<string, AppAnswers>>;
    }
  | ({ readonly kind: "rpc" } & Pick<
      HostRpcOptions,
      "url" | "username" | "apiKey" | "tls" | "trustPlaintext" | "locations" | "localRoot"
    >);

/** Whether a host is the embedder's own object; anything but a choice is taken for one. */
export function isOwnHost(host: HostChoice | OwnHost): host is OwnHost {
  return !("kind" in host && (host.kind === "standin" || host.kind === "rpc"));
}

/** The folder in which the stand-in of a database keeps its state. */
export function nameStandinFolder(db: string): string {
  return `${db}.standin`;
}

/** Opens the host, and the catalog as it goes with it: a stand-in offers the catalog's apps. */
export async function openHost(
  { host, db }: { readonly host: HostChoice | OwnHost; readonly db: string },
  catalog: Catalog,
  clock: Clock,
  logger: Logger,
): Promise<{ readonly host: OwnHost; readonly catalog: Catalog }> {
  if (isOwnHost(host)) return { host, catalog };
  if (host.kind === "rpc") return { host: createHostRpc({ ...host, clock, logger }), catalog };
  const dir = nameStandinFolder(db);
  const { answers } = host;
  const tables = answers === undefined ? readFakes(catalog.root, logger) : readNamed(answers);
  const { url, username, apiKey } = await joinStandin({
    dir,
    catalog: catalog.root,
    ...(typeof answers === "string" && { answers }),
    ...(host.speed !== undefined && { speed: host.speed }),
    ...(host.idleExitS !== undefined && { idleExitS: host.idleExitS }),
  });
  const standin = createHostRpc({
    url,
    username,
    apiKey,
    trustPlaintext: true,
    locations: { ...STANDIN_LOCATIONS, ...STANDIN_OPTIONAL_LOCATIONS },
    localRoot: dir,
    clock,
    logger,
  });
  const address = { url, apiKey };
  const offer = () => askControl(address, "readCatalog", [catalog.root]);
  try {
    // A stand-in without a client ends: the session has to be open from now on, not from the first call on.
    await standin.appsService();
    // Also to one that was joined, which another catalog may have started: the catalog's own tables replace none there.
    const command = host.answers === undefined ? "offerAnswers" : "setAnswers";
    for (const [appId, table] of Object.entries(tables)) {
      const given = askControl(address, command, [appId, table]);
      await (host.answers === undefined
        ? given.catch((error: unknown) => warnOfFake(logger, { appId, error }))
        : given);
    }
    await offer();
  } catch (error) {
    await standin.close();
    throw error;
  }
  return { host: standin, catalog: offerAfterSync(catalog, offer, logger) };
}

function readNamed(answers: string | Readonly<Record<string, AppAnswers>>): Readonly<Record<string, AppAnswers>> {
  return typeof answers === "string" ? readTables(answers) : answers;
}

/** A catalog's fakes: what is wrong with one is the fault of its file, and its app answers nothing. */
function readFakes(root: string, logger: Logger): Readonly<Record<string, AppAnswers>> {
  const folder = join(root, "standin");
  if (!existsSync(folder)) return {};
  // What lies in a catalog leads to nothing outside it.
  const { tables, faults } = inspectTables(folder, root);
  for (const { file, line, column, message } of faults) warnOfFake(logger, { file, line, column, fault: message });
  return tables;
}

/** An error, and not a warning: commands that act once log nothing less, and the app's hooks are about to fail. */
function warnOfFake(logger: Logger, facts: Readonly<Record<string, unknown>>): void {
  logger.error(facts, "a fake can't be used: its app answers nothing");
}

/** The stand-in offers what the engine has just read, so that an app added meanwhile can be installed. */
function offerAfterSync(catalog: Catalog, offer: () => Promise<unknown>, logger: Logger): Catalog {
  return withSync(catalog, async () => {
    const changes = await catalog.sync();
    if (changes.added.length + changes.changed.length > 0) {
      await offer().catch((error: unknown) => logger.warn({ error }, "the stand-in does not offer the changed apps"));
    }
    return changes;
  });
}
