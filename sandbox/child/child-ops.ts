/** Operations the child answers by itself: pure functions of Node that a bare isolate lacks. */
import { createHash } from "node:crypto";
import { TextDecoder } from "node:util";
import type { Answer, ChildOp, UrlParts, UrlPatternAnswer, WireError } from "../protocol/ops.ts";

/** Most streaming text decoders whose state is kept. */
const DECODERS = 100;

/** Answers one operation; an error is an answer. */
export type AnswerChildOp = (op: ChildOp, body: ArrayBuffer | undefined) => Answer;

/** Tells whether a message of the guest is for the child itself. */
export function isChildOp(header: string): boolean {
  return CHILD_OP.test(header);
}

/** The name stands first in what the guest writes; anything else is the parent's to judge. */
const CHILD_OP = /^\{"op":"(?:url\.|text\.|digest")/;

/** The operations with the state they need: streaming decoders. */
export function createChildOps(): AnswerChildOp {
  const decoders = new Map<number, TextDecoder>();
  return (op, body) => {
    try {
      return answer(op, body, decoders);
    } catch (error) {
      return answerError(error);
    }
  };
}

function answer(op: ChildOp, body: ArrayBuffer | undefined, decoders: Map<number, TextDecoder>): Answer {
  switch (op.op) {
    case "url.parse":
      return answerValue(URL.parse(op.href, op.base)?.href ?? null);
    case "url.parts":
      return answerValue(toUrlParts(new URL(op.href)));
    case "url.set": {
      const url = new URL(op.href);
      url[op.property] = op.value;
      return answerValue(url.href);
    }
    case "url.pattern":
      return answerValue(matchPattern(op));
    case "text.label":
      return answerValue(findEncoding(op.label));
    case "text.decode": {
      const kept = decoders.get(op.decoder);
      const decoder = kept ?? new TextDecoder(op.label, { fatal: op.fatal, ignoreBOM: op.ignoreBOM });
      if (!op.stream) decoders.delete(op.decoder);
      else if (kept === undefined) {
        if (decoders.size >= DECODERS) throw new RangeError(`more than ${DECODERS} text decoders are in use`);
        decoders.set(op.decoder, decoder);
      }
      return answerValue({ text: decoder.decode(body, { stream: op.stream }) });
    }
    case "digest": {
      const digest = createHash(op.algorithm)
        .update(new Uint8Array(body ?? new ArrayBuffer(0)))
        .digest();
      return `${answerValue({})}\n${digest.toString("latin1")}`;
    }
  }
}

function matchPattern(op: ChildOp & { op: "url.pattern" }): UrlPatternAnswer {
  const options = { ignoreCase: op.ignoreCase };
  const pattern = op.base === undefined ? new URLPattern(op.init, options) : new URLPattern(op.init, op.base, options);
  const { protocol, username, password, hostname, port, pathname, search, hash, hasRegExpGroups } = pattern;
  return {
    components: { protocol, username, password, hostname, port, pathname, search, hash },
    hasRegExpGroups,
    // groups that took no part are undefined, which JSON leaves out
    match: op.input === undefined ? null : JSON.parse(JSON.stringify(pattern.exec(op.input.url, op.input.base))),
  };
}

function findEncoding(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function toUrlParts(url: URL): UrlParts {
  const { origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return { origin, protocol, username, password, host, hostname, port, pathname, search, hash };
}

function answerValue(value: unknown): Answer {
  return JSON.stringify({ ok: value });
}

function answerError(error: unknown): Answer {
  const seen: WireError =
    error instanceof Error
      ? { name: error.name, message: error.message, ...readCode(error) }
      : { name: "Error", message: String(error) };
  return JSON.stringify({ error: seen });
}

function readCode(error: Error): { code?: string } {
  return "code" in error && typeof error.code === "string" ? { code: error.code } : {};
}
