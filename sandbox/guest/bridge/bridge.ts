/**
 * The guest's side of the boundary listed in `ops.ts`: every call out leaves through here, every delivery enters here.
 *
 * Invariants:
 * 1. A pending call is settled at most once; a delivery for an id that is not pending is ignored.
 * 2. `now()` moves only when a delivery brings a new time.
 * 3. What a message says is written before anything of it counts: operation and id are never taken from an object a
 *    script can reach, and ids leave in ascending order.
 */
import type { Json } from "../../../src/core/json/json.ts";
import type {
  AskParent,
  CallOut,
  ChildOp,
  OutOp,
  ParentOp,
  SettledDelivery,
  StartDelivery,
  UrlParts,
  WireError,
} from "../../protocol/ops.ts";
import { charCodeAt, getOwn, indexOfText, parseJson, RealError, RealUint8Array, sliceText } from "./primordials.ts";
import { toError } from "./wire-error.ts";
import { writeJson } from "./write-json.ts";

/** A call that a delivery will settle. */
export interface PendingCall {
  fulfil(ok: Json, body: ArrayBuffer | undefined): void;
  reject(error: unknown): void;
}

/** `OutOp` without its `id`, for each operation that has one. */
export type Request = OutOp extends infer Op ? (Op extends { readonly id: number } ? Omit<Op, "id"> : never) : never;

let callOut: CallOut = () => undefined;
let askParent: AskParent = () => "";
let time = 0;
let startedAt = 0;
let lastId = 0;
const pending: { [id: number]: PendingCall & { readonly trace: Error } } = { __proto__: null } as never;

/** Gives the guest its two doors. Called once per isolate. */
export function connect(out: CallOut, parent: AskParent): void {
  callOut = out;
  askParent = parent;
}

/** The time of the present delivery, in ms since 1970. */
export function readNow(): number {
  return time;
}

/** The time of the first delivery: what `performance.now()` counts from. */
export function readTimeOrigin(): number {
  return startedAt;
}

/** Sends an operation that nothing answers. */
export function send(op: OutOp, body?: ArrayBuffer): void {
  callOut(writeJson(op), body);
}

/** Sends the end of the run, its outcome already JSON text. */
export function sendDone(outcome: string): void {
  callOut(`{"op":"done","outcome":${outcome}}`);
}

/** Sends an operation that a later delivery settles; returns its id. */
export function request(op: Request, call: PendingCall, body?: ArrayBuffer): number {
  // First: a member that is an accessor of the script runs its code here, which may call out itself.
  const text = writeJson(op);
  lastId += 1;
  const id = lastId;
  // Its frames are those of the script that calls: what a later rejection shows as its stack.
  pending[id] = { fulfil: call.fulfil, reject: call.reject, trace: new RealError() };
  callOut(`${sliceText(text, 0, -1)},"id":${id}}`, body);
  return id;
}

/** Stops waiting for a call: its delivery will be ignored. */
export function forget(id: number): void {
  delete pending[id];
}

/** A settled delivery enters. */
export function settle(id: number, delivery: SettledDelivery, body: ArrayBuffer | undefined): void {
  time = delivery.now;
  const call = pending[id];
  if (call === undefined) return;
  delete pending[id];
  const error = getOwn(delivery, "error");
  if (error !== undefined) call.reject(toError(error, call.trace));
  else call.fulfil(getOwn(delivery, "ok") ?? null, body);
}

/** The run's first delivery sets the clock. */
export function begin(delivery: StartDelivery): void {
  time = delivery.now;
  startedAt = delivery.now;
}

interface SyncAnswer {
  readonly ok: unknown;
  /** The text behind the first line. */
  readonly rest: string;
}

function readAnswer(answer: string | undefined): SyncAnswer {
  const text = answer ?? `{"error":{"name":"Error","message":"the sandbox did not answer"}}`;
  const lineFeed = indexOfText(text, "\n");
  const head: { ok?: unknown; error?: WireError } = parseJson(lineFeed < 0 ? text : sliceText(text, 0, lineFeed));
  const error = getOwn(head, "error");
  if (error !== undefined) throw toError(error);
  return { ok: getOwn(head, "ok"), rest: lineFeed < 0 ? "" : sliceText(text, lineFeed + 1) };
}

function askChild(op: ChildOp, body?: ArrayBuffer): SyncAnswer {
  return readAnswer(callOut(writeJson(op), body));
}

function waitForParent(op: ParentOp): SyncAnswer {
  return readAnswer(askParent(writeJson(op)));
}

/** The value a synchronous operation of the parent answers; its shape is the contract's, by the caller's word. */
export function askParentFor<T>(op: ParentOp): T {
  return waitForParent(op).ok as T;
}

/** The bytes a synchronous operation of the parent answers. */
export function askParentForBytes(op: ParentOp): Uint8Array<ArrayBuffer> {
  return encodeLatin1(waitForParent(op).rest);
}

/** The text a synchronous operation of the parent answers. */
export function askParentForText(op: ParentOp): string {
  return waitForParent(op).rest;
}

/** `url.parse`; null where the text is no URL. */
export function parseUrl(href: string, base: string | undefined): string | null {
  return askChild({ op: "url.parse", href, ...(base !== undefined && { base }) }).ok as string | null;
}

/** `url.parts`. */
export function readUrlParts(href: string): UrlParts {
  return askChild({ op: "url.parts", href }).ok as UrlParts;
}

/** `url.set`. */
export function setUrl(op: ChildOp & { op: "url.set" }): string {
  return askChild(op).ok as string;
}

/** `url.pattern`; null where the input does not match. */
export function askUrlPattern<T>(op: ChildOp & { op: "url.pattern" }): T {
  return askChild(op).ok as T;
}

/** `text.label`; null for an unknown label. */
export function findEncodingName(label: string): string | null {
  return askChild({ op: "text.label", label }).ok as string | null;
}

/** `text.decode`. */
export function decodeText(op: ChildOp & { op: "text.decode" }, bytes: ArrayBuffer): string {
  return (askChild(op, bytes).ok as { text: string }).text;
}

/** `digest`. */
export function digest(op: ChildOp & { op: "digest" }, bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return encodeLatin1(askChild(op, bytes).rest);
}

/** One byte per character. */
export function encodeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new RealUint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = charCodeAt(text, i);
  return bytes;
}
