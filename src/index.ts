/** The public API of Slipway: everything an embedder needs, and nothing else. */

export type { Outside, Sandbox, SandboxHealth } from "../sandbox/contract.ts";
export { createSandbox, type SandboxOptions } from "../sandbox/sandbox.ts";
export { openCatalogDirectory } from "./adapters/catalog-directory.ts";
export { createHostRpc, type HostRpcOptions } from "./adapters/host-rpc/create-host-rpc.ts";
export { createPinoLogger } from "./adapters/logger-pino.ts";
export { createOutside } from "./adapters/outside.ts";
export { openStore, type StoreOptions } from "./adapters/store-sqlite/open-store.ts";
export { type EngineChoice, type HostChoice, type OpenedEngine, openEngine } from "./compose.ts";
export { type Code, type CodeRow, explain } from "./core/codes.ts";
export type { Dictionary, Hook, Question, Surface, Widget } from "./core/dictionary.ts";
export type { HostFacts } from "./core/host-facts.ts";
export type { Json, JsonObject } from "./core/json.ts";
export { type ParsedScript, type ParseRequest, parseDictionary } from "./core/parse-dictionary.ts";
export type { Plan, PlanMode } from "./core/plan.ts";
export { EngineError, type Failure, type Problem } from "./core/problems.ts";
export type { InstallScript } from "./core/script-schema.ts";
export type * from "./engine/api.ts";
export { createEngine, type EngineSettings } from "./engine/engine.ts";
export type { Catalog, CatalogChanges, CatalogEntry } from "./engine/ports/catalog.ts";
export type { Clock, Logger, Notification, Randomness } from "./engine/ports/environment.ts";
export type { Host } from "./engine/ports/host.ts";
export type { Store } from "./engine/ports/store.ts";
export { createSystemClock } from "./engine/system/clock.ts";
export { createHttpApp, type HttpAppOptions } from "./http/app.ts";
export { type HttpServer, type HttpServerOptions, startHttpServer } from "./http/server.ts";
export type { StandinOptions } from "./standin/settings.ts";
export { createStandinHost, type StandinHost } from "./standin/standin.ts";
