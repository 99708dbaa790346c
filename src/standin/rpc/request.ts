import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { RpcError } from "./rpc-error.ts";

/** A call as sent. */
export interface RpcRequest {
  /** Absent: the call is run and never answered. */
  readonly id: string | number | null | undefined;
  readonly method: string;
  readonly params: readonly Json[];
}

/** A message that is no call, and the id its error goes to. */
interface RpcRefusal {
  readonly id: string | number | null;
  readonly error: RpcError;
}

/** Reads one text frame (docs/host-api.md, section 2, "request"). Batches are a parse error of this host. */
export function readRequest(text: string): RpcRequest | RpcRefusal {
  let document: Json;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { id: null, error: new RpcError(-32700, `Parse error: ${error instanceof Error ? error.message : ""}`) };
  }
  if (Array.isArray(document)) return { id: null, error: new RpcError(-32700, "Batch messages are not supported") };
  if (!isJsonObject(document)) return { id: null, error: new RpcError(-32600, "Message must be of type object") };
  return parseRequest(document);
}

function parseRequest(message: JsonObject): RpcRequest | RpcRefusal {
  const { id, jsonrpc, method, params = [] } = message;
  const known = typeof id === "string" || Number.isInteger(id) || id === null || id === undefined;
  const answerTo = typeof id === "string" || typeof id === "number" ? id : null;
  const refuse = (text: string): RpcRefusal => ({ id: answerTo, error: new RpcError(-32600, text) });
  if (jsonrpc !== "2.0") return refuse("'jsonrpc' member must be '2.0'");
  if (!known) return { ...refuse("'id' member must be of type string, integer or null"), id: null };
  if (typeof method !== "string") return refuse("'method' member must be of type string");
  if (!Array.isArray(params)) return refuse("'params' member must be of type array");
  return { id: id === undefined ? undefined : answerTo, method, params };
}
