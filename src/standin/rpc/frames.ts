import { channel } from "node:diagnostics_channel";
import type { JsonObject } from "../../core/json/json.ts";
import type { HostGeneration } from "../settings.ts";
import type { RpcRequest } from "./request.ts";

/** A frame of a stand-in's socket, as `FRAMES` publishes it. */
export interface StandinFrame {
  readonly generation: HostGeneration;
  /** The API version the session speaks, e.g. `v25.10.5`. */
  readonly version: string;
  /** The client's own name for itself, from its `user-agent` header. */
  readonly agent: string | null;
  /** The request received, or the one `sent` answers; null for a notification. */
  readonly request: Pick<RpcRequest, "method" | "params"> | null;
  /** The message sent; null for a received request. */
  readonly sent: JsonObject | null;
}

/** Publishes every frame of every stand-in of this process as a `StandinFrame`, secrets included. */
export const FRAMES = channel("slipway:standin:frame");
