import { createServer } from "node:net";
import { EngineError } from "../core/problems.ts";
import { lanAddressOf } from "./locations.ts";

/** Port on the directory's own loopback address whose listener is the claim. */
const CLAIM_PORT = 65_500;

/**
 * Claims a state directory for this process. The claim is a listening socket, so the kernel frees it however the process
 * ends: a lock file would outlive a SIGKILL.
 *
 * Throws `HOST_STANDIN_BUSY` while another stand-in runs on the directory.
 */
export async function claimDirectory(dir: string): Promise<{ release(): Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new EngineError("HOST_STANDIN_BUSY", `another stand-in runs on "${dir}"`, { dir }, error)
          : error,
      );
    });
    server.listen({ host: lanAddressOf(dir), port: CLAIM_PORT, exclusive: true }, resolve);
  });
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}
