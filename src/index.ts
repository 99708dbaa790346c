/** The public API of Slipway: the engine, its machines, its ports with their adapters, and every type they speak of. */

export { machines } from "../machines/index.ts";
export type * from "../sandbox/contract.ts";
export type { JournalBody, JournalRow, StoredJournal } from "../sandbox/journal/row.ts";
export type { ContextCall } from "../sandbox/protocol/context-call.ts";
export type {
  FetchAnswer,
  FileEntry,
  FileKind,
  FileStat,
  SqliteRows,
  SqliteValue,
  WireError,
} from "../sandbox/protocol/ops.ts";
export { createSandbox, type SandboxOptions } from "../sandbox/sandbox.ts";
export { openCatalogDirectory } from "./adapters/catalog/catalog-directory.ts";
export { createHostFolders } from "./adapters/host-folders.ts";
export { createHostRpc, type HostRpcOptions } from "./adapters/host-rpc/create-host-rpc.ts";
export { createLocalFolders } from "./adapters/local-folders.ts";
export { createPinoLogger } from "./adapters/logger-pino.ts";
export { createIcons, type IconsOptions } from "./adapters/network-policy/icons.ts";
export { createProviders, type ProvidersOptions } from "./adapters/network-policy/oauth-providers.ts";
export { createScriptIo, type ScriptIoOptions } from "./adapters/script-io/script-io.ts";
export {
  type Restored,
  type RestoreRequest,
  type RestoreStep,
  restoreDatabase,
} from "./adapters/store-sqlite/backup/restore-database.ts";
export { openStore, type StoreOptions } from "./adapters/store-sqlite/open-store.ts";
export { type EngineChoice, type OpenedEngine, openEngine } from "./compose.ts";
export type { HostChoice } from "./compose-host.ts";
export { type Code, isCode } from "./core/codes/code.ts";
export { type CodeRow, explain } from "./core/codes/codes.ts";
export {
  type DetailsOf,
  EngineError,
  type ErrorDetails,
  type Failure,
  type FailureDetail,
  type HostDetails,
  isEngineError,
  type Problem,
  type RelatedPlace,
  type RequestFault,
  type Severity,
  type StoreDetails,
} from "./core/codes/problems.ts";
export type { Json, JsonObject } from "./core/json/json.ts";
export type { HostFacts } from "./core/plan/host-facts.ts";
export type { Plan, PlanMode } from "./core/plan/plan.ts";
export type { Difference } from "./core/plan/values/update-differences.ts";
export type {
  Dictionary,
  Hook,
  LifecycleEvent,
  Question,
  ScriptSource,
  Surface,
  Widget,
} from "./core/script/dictionary.ts";
export { type ParsedScript, type ParseRequest, parseDictionary } from "./core/script/parse/parse-dictionary.ts";
export type { InstallScript } from "./core/script/script-schema.ts";
export type * from "./engine/api.ts";
export { createEngine } from "./engine/engine.ts";
export type { EngineSettings } from "./engine/engine-settings.ts";
export { type Delivery, HostError, isHostError } from "./engine/host-error.ts";
export type * from "./engine/ports/catalog.ts";
export type * from "./engine/ports/environment.ts";
export type * from "./engine/ports/folders.ts";
export type * from "./engine/ports/host.ts";
export type * from "./engine/ports/host-records.ts";
export type { HostCore, HostPart, OwnHost } from "./engine/ports/own-host.ts";
export type * from "./engine/ports/providers.ts";
export type * from "./engine/ports/store.ts";
export type * from "./engine/ports/store-rows.ts";
export type * from "./engine/ports/turn-rows.ts";
export type { MachineEvent } from "./engine/runtime/effect.ts";
export type { Timing } from "./engine/runtime/timing.ts";
export type { Kept } from "./engine/runtime/turn/retention.ts";
export { createSystemClock } from "./engine/system/clock.ts";
export { createHostJobs, type JobWork } from "./engine/system/host-jobs.ts";
export { nameListeningPort } from "./engine/system/listening-ports.ts";
export { createSystemRandomness } from "./engine/system/randomness.ts";
export type { TelemetrySettings } from "./engine/telemetry/telemetry.ts";
export type { AppAnswers } from "./standin/apps/answers.ts";
