import type { Logger } from "../ports/environment.ts";

/** The same logger, except that a call of it never throws and never leaves a rejection behind: its line is lost alone. */
export function createHarmlessLogger(logger: Logger): Logger {
  const tell =
    (level: keyof Logger): Logger["info"] =>
    (fields, message) => {
      try {
        // An embedder's logger may be asynchronous, whatever the port's type says.
        const told: unknown = logger[level](fields, message);
        if (told instanceof Promise) told.catch(() => {});
      } catch {
        // Nobody is left to tell.
      }
    };
  return { debug: tell("debug"), info: tell("info"), warn: tell("warn"), error: tell("error") };
}
