import type { Logger } from "../ports/environment.ts";

/** Says nothing: the library is silent unless the embedder gives it a logger. */
export const SILENT_LOGGER: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
