import { EngineError } from "../../core/codes/problems.ts";

/** Where a server is to listen. */
export interface ListenPlace {
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** Reads `ADDR:PORT`, IPv6 addresses in brackets. Throws `CLI_USAGE`. */
export function parseListen(text: string): ListenPlace {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  const address = match?.[1] ?? match?.[2];
  if (address === undefined || port > 65_535) {
    throw new EngineError("CLI_USAGE", `"${text}" is not ADDR:PORT, e.g. 127.0.0.1:8765`);
  }
  return { address, port };
}
