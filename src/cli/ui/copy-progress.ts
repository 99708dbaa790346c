import { EngineError } from "../../core/codes/problems.ts";
import type { BackupRequest, CopyProgress } from "../../engine/api.ts";
import { findScreen, type Terminal } from "./terminal.ts";

/**
 * Runs a copy that a signal stops, and shows how far it has come on one line where there is a terminal. Throws
 * `CLI_INTERRUPTED` with what is left then.
 */
export async function withCopyLine<T>(
  terminal: Terminal,
  left: string,
  copy: (options: Required<Pick<BackupRequest, "signal" | "onProgress">>) => Promise<T>,
): Promise<T> {
  const { signal } = terminal;
  const screen = findScreen(terminal);
  const write = (text: string): void => {
    if (terminal.stdout.isTTY === true) screen.write(`\r\u001b[K${text}`);
  };
  let shown = "";
  const onProgress = ({ copiedBytes, totalBytes }: CopyProgress): void => {
    const text = `copied ${Math.floor((copiedBytes / totalBytes) * 100)} %`;
    if (text !== shown) write(text);
    shown = text;
  };
  try {
    return await copy({ signal, onProgress });
  } catch (error) {
    if (signal.aborted) throw new EngineError("CLI_INTERRUPTED", `interrupted: ${left}`);
    throw error;
  } finally {
    if (shown !== "") write("");
  }
}
