/** The frames of the host's JSON-RPC 2.0 dialect. Unknown keys are tolerated: newer hosts add some. */
import { z } from "zod";

/** `[attribute or null, message, errno]`; the errno may be absent. */
const FieldError = z.tuple([z.string().nullable(), z.string(), z.int().nullish()]).rest(z.unknown());

/** `data` of an RPC error; section 10. */
const ErrorData = z.object({
  error: z.int().nullish(),
  errname: z.string().nullish(),
  reason: z.string().nullish(),
  extra: z.unknown().optional(),
});

/** An RPC error as it stands in a frame. */
export const RpcError = z.object({ code: z.int(), message: z.string(), data: ErrorData.nullish() });
export type RpcError = z.infer<typeof RpcError>;

/** Any frame the host sends: an answer has `result` or `error`, a notification has `method`. */
export const Frame = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int()]).nullish(),
  result: z.unknown().optional(),
  error: RpcError.exactOptional(),
  method: z.string().exactOptional(),
  params: z.unknown().optional(),
});
export type Frame = z.infer<typeof Frame>;

/** Parameters of a `collection_update` notification. */
export const CollectionUpdate = z.object({
  msg: z.string(),
  collection: z.string(),
  fields: z.unknown().optional(),
});

/** The field errors in `extra`, where it holds such. */
export function readFieldErrors(extra: unknown): z.infer<typeof FieldError>[] {
  const parsed = z.array(FieldError).safeParse(extra);
  return parsed.success ? parsed.data : [];
}

/** A job object of `core.get_jobs` and of job events; section 3. */
export const WireJob = z.object({
  id: z.int(),
  message_ids: z.array(z.unknown()).catch([]),
  method: z.string(),
  arguments: z.unknown().optional(),
  state: z.string(),
  /** Of a job in SUCCESS. */
  result: z.unknown().optional(),
  progress: z.object({ percent: z.number().nullish(), description: z.string().nullish() }).nullish(),
  error: z.string().nullish(),
  exc_info: z.object({ type: z.string().nullish(), errno: z.int().nullish(), extra: z.unknown().optional() }).nullish(),
  /** UTC ms, once extended JSON is read. */
  time_started: z.number().nullish(),
});
export type WireJob = z.infer<typeof WireJob>;
