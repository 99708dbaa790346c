import type { EngineSettings } from "../engine-settings.ts";
import type { Logger, Notification } from "../ports/environment.ts";

/** The embedder's `onNotification` as the engine may call it: it is not waited for, and what goes wrong in it is logged. */
export function createHarmlessListener(
  onNotification: EngineSettings["onNotification"] = () => {},
  logger: Logger,
): (notification: Notification) => void {
  return (notification) => {
    const toFailed = (error: unknown) =>
      logger.warn({ error, ...notification }, "the embedder's onNotification failed");
    try {
      // A rejection nobody takes would end the process.
      void Promise.resolve(onNotification(notification)).catch(toFailed);
    } catch (error) {
      toFailed(error);
    }
  };
}
