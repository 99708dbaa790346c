import { createRequire } from "node:module";
import { escapeControlCharacters } from "../core/report/plain-text.ts";
import type { Logger } from "../engine/ports/environment.ts";

export interface LoggerOptions {
  /** Least severe level written: `debug`, `info`, `warn`, `error` or `silent`. Default `info`. */
  readonly level?: "debug" | "info" | "warn" | "error" | "silent";
  /** Where lines go. Default: stderr, so that stdout stays free for documents. */
  readonly stream?: { write(line: string): void };
}

/** JSON lines, one per call, times in ISO 8601 UTC; nothing in them steers the terminal they may be shown in. */
export function createPinoLogger(options: LoggerOptions = {}): Logger {
  // loaded with the first logger: an embedder may have one of his own
  const { pino }: typeof import("pino") = createRequire(import.meta.url)("pino");
  const stream = options.stream ?? pino.destination({ dest: 2, sync: true });
  const log = pino(
    {
      level: options.level ?? "info",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.errWithCause },
    },
    { write: (line: string) => void stream.write(escapeControlCharacters(line)) },
  );
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}
