/** Schemas the shapes of requests and responses share: the routes check by them, the OpenAPI document is made from them. */
import { z } from "zod";
import { isJson, type Json } from "../../core/json/json.ts";
import { MAX_ID } from "../../core/script/script-words.ts";
import { PAGE_LIMIT } from "../../engine/requests.ts";

/** An id in a path or a query. */
export const Id = z.string().min(1).max(MAX_ID);

/** The name of an app beside its id. */
export const AppName = z
  .string()
  .optional()
  .meta({ description: "Display name of the app; absent where it is not known" });

/** A value that is an author's or the host's business. */
export const JsonValue = z.custom<Json>((value) => isJson(value)).meta({ description: "Any JSON value" });

/** An object whose members are an author's or the host's business. */
export const JsonMembers = z.record(z.string(), JsonValue).readonly();

/** Keys and indexes from the root of a document. */
export const Path = z.array(z.union([z.string(), z.number()])).readonly();

/** A number that counts up, in a query or a header. */
export const Sequence = z.coerce.number().int().min(0);

/** A number of the event log in a body. */
export const Seq = z.number().int().min(0);

/** Name of the history the numbers of an event log belong to. */
export const Epoch = z
  .string()
  .meta({ description: "Another one is another database or an older copy of it: what was read before counts no more" });

/** The most rows of a page. */
export const Limit = z.coerce.number().int().min(1).max(PAGE_LIMIT).optional();

/** Marks what rests on the host's earlier answers. */
export const LastKnown = z
  .object({ at: z.string(), ageMs: z.number().min(0) })
  .meta({ id: "LastKnown", description: "Present where the host does not answer: when it said what is shown" });
