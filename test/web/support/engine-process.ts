/**
 * An engine with the page in a process that a test kills. Arguments: database, catalog, folder of the page, port, trees that
 * keep their changes.
 */
import { openEngine } from "../../../src/compose.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../../src/http/server.ts";

const [db = "", catalog = "", pageFiles = "", port = "0", events] = process.argv.slice(2);
// Without the test there is nobody to kill this process.
process.on("disconnect", () => process.exit(1));
const { engine } = await openEngine({
  host: { kind: "standin", speed: 5, idleExitS: 5 },
  ...{ db, catalog, production: true, allowWeakSandbox: true, logger: SILENT_LOGGER },
  ...(events !== undefined && { kept: { events: Number(events) } }),
});
const options = { address: "127.0.0.1", port: Number(port), logger: SILENT_LOGGER, pageFiles, pageLogs: true };
const { url } = await startHttpServer(engine, options);
process.send?.({ url });
