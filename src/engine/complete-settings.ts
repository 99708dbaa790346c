import { z } from "zod";
import type { EngineSettings } from "./engine-settings.ts";
import { completeHost } from "./ports/own-host.ts";
import { readRequest } from "./requests.ts";
import { DEFAULT_TIMING, type Timing } from "./runtime/timing.ts";
import { DEFAULT_KEPT, type Kept } from "./runtime/turn/retention.ts";
import { createSystemClock } from "./system/clock.ts";
import { createHarmlessListener } from "./system/harmless-listener.ts";
import { createHarmlessLogger } from "./system/harmless-logger.ts";
import { NO_FOLDERS } from "./system/no-folders.ts";
import { NO_ICONS } from "./system/no-icons.ts";
import { NO_PROVIDERS } from "./system/no-providers.ts";
import { NO_SANDBOX } from "./system/no-sandbox.ts";
import { createSystemRandomness } from "./system/randomness.ts";
import { SILENT_LOGGER } from "./system/silent-logger.ts";

/** Trees beyond that are as good as all of them. */
const MOST_TREES = 100_000;
/** What an empty database and the tasks of a few days hold. */
const LEAST_BYTES = 4 * 1024 * 1024;

const Trees = z.int().min(0).max(MOST_TREES).exactOptional();
const KeptSettings = z.strictObject({
  trees: Trees,
  events: Trees,
  logs: Trees,
  snapshots: Trees,
  bytes: z.int().min(LEAST_BYTES).exactOptional(),
});

/** Every setting, the default where there is none; what is told of them harms nobody. Throws `TASK_REQUEST_INVALID`, and as `completeHost`. */
export function completeSettings(settings: EngineSettings) {
  const { production = true, unattended = true, enforceRequirements = false, hostNetworkPorts = [] } = settings;
  const { sandbox = NO_SANDBOX, folders = NO_FOLDERS, providers = NO_PROVIDERS, icons = NO_ICONS } = settings;
  const { clock = createSystemClock(), randomness = createSystemRandomness() } = settings;
  const logger = createHarmlessLogger(settings.logger ?? SILENT_LOGGER);
  const onNotification = createHarmlessListener(settings.onNotification, logger);
  const timing: Timing = { ...DEFAULT_TIMING, ...settings.timing };
  return {
    ...settings,
    host: completeHost(settings.host),
    ...{ production, unattended, enforceRequirements, hostNetworkPorts },
    ...{ sandbox, folders, providers, icons, clock, randomness, logger, onNotification, timing },
    kept: readKept(settings.kept),
  };
}

/** What is kept of tasks that have ended, with the defaults. Throws `TASK_REQUEST_INVALID` for a number out of bounds. */
export function readKept(kept: Partial<Kept> | undefined): Kept {
  return { ...DEFAULT_KEPT, ...readRequest(KeptSettings, kept ?? {}) };
}
