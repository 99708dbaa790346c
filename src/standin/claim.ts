import { connect, createServer, type Server } from "node:net";
import { EngineError } from "../core/codes/problems.ts";
import { deriveLanAddress } from "./locations.ts";

/** Port on the directory's own loopback address whose listener is the claim. */
const CLAIM_PORT = 65_500;

/** Sent to whoever connects to the claim. */
const RUNNING = "running";

/** A claimed directory. */
interface Claim {
  /** Whether somebody has asked since the last time this was read: about to join, so not the moment to end. */
  takeAsked(): boolean;
  /** From now on says that the stand-in is ending: nobody joins it any more. */
  end(): void;
  release(): Promise<void>;
}

/**
 * Claims a state directory for this process. The claim is a listening socket, so the kernel frees it however the process
 * ends: a lock file would outlive a SIGKILL.
 *
 * Throws `HOST_STANDIN_BUSY` while another stand-in runs on the directory.
 */
export async function claimDirectory(dir: string): Promise<Claim> {
  const claim = new SocketClaim();
  await claim.take(dir);
  return claim;
}

class SocketClaim implements Claim {
  readonly #server: Server;
  #isEnding = false;
  #wasAsked = false;

  constructor() {
    this.#server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      this.#wasAsked = true;
      socket.end(this.#isEnding ? "" : RUNNING);
    });
  }

  async take(dir: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error: NodeJS.ErrnoException) => {
        reject(
          error.code === "EADDRINUSE"
            ? new EngineError("HOST_STANDIN_BUSY", `another stand-in runs on "${dir}"`, { dir }, error)
            : error,
        );
      });
      this.#server.listen({ host: deriveLanAddress(dir), port: CLAIM_PORT, exclusive: true }, resolve);
    });
    this.#server.unref();
  }

  takeAsked(): boolean {
    const was = this.#wasAsked;
    this.#wasAsked = false;
    return was;
  }

  end(): void {
    this.#isEnding = true;
  }

  release(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Whether a directory is claimed: by nobody, by a stand-in that can be joined, or by one that is ending. */
export function askClaim(dir: string): Promise<"free" | "running" | "ending"> {
  return new Promise((resolve) => {
    const socket = connect({ host: deriveLanAddress(dir), port: CLAIM_PORT });
    let connected = false;
    let text = "";
    socket.on("connect", () => {
      connected = true;
    });
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(text === RUNNING ? "running" : connected ? "ending" : "free"));
  });
}
