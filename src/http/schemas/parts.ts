import { z } from "zod";
import { isJson, type Json } from "../../core/json/json.ts";
import { PAGE_LIMIT } from "../../engine/requests.ts";

export const Id = z.string().min(1).max(200);

export const JsonValue = z.custom<Json>((value) => isJson(value)).meta({ description: "Any JSON value" });

/** An object whose members are an author's or the host's business. */
export const JsonMembers = z.record(z.string(), JsonValue).readonly();

/** Keys and indexes from the root of a document. */
export const Path = z.array(z.union([z.string(), z.number()])).readonly();

/** A number of the event log in a query or a header. */
export const Sequence = z.coerce.number().int().min(0);

export const Seq = z.number().int().min(0);

export const Limit = z.coerce.number().int().min(1).max(PAGE_LIMIT).optional();
