/** The error `ctx.fail` throws, and how any thrown value becomes a bounded failure. */
import type { FailureDetail } from "../../../src/core/codes/problems.ts";
import { DETAILS, TEXT_LIMITS } from "../../protocol/ops.ts";
import { inspect } from "../web/inspect.ts";

const MAX_CAUSES = 5;

const details = new WeakMap<object, readonly FailureDetail[]>();

/** The error `ctx.fail` throws; its context survives catching and throwing again, also as another error's cause. */
export class HookError extends Error {
  override readonly name = "HookError";
  readonly context: readonly FailureDetail[];

  constructor(message: unknown, context: unknown) {
    super(cutText(message, "message"));
    this.context = readDetails(context);
    details.set(this, this.context);
  }
}

/** Reads `{label, value}` pairs, as text; anything else becomes a pair of its own. */
export function readDetails(context: unknown): readonly FailureDetail[] {
  if (context === undefined || context === null) return [];
  const pairs: readonly unknown[] = Array.isArray(context)
    ? context
    : Object.entries(context).map(([label, value]) => ({ label, value }));
  return pairs.slice(0, DETAILS).map((pair) => {
    const { label, value } = (
      typeof pair === "object" && pair !== null ? pair : { value: pair }
    ) as Partial<FailureDetail>;
    return { label: cutText(label ?? "detail", "label"), value: cutText(value, "value") };
  });
}

/** As much of a text as is let through; the parent cuts it when its secrets are masked. */
function cutText(value: unknown, kind: keyof typeof TEXT_LIMITS): string {
  const full = typeof value === "string" ? value : inspect(value);
  return full.slice(0, TEXT_LIMITS[kind].sent).toWellFormed();
}

/** A thrown value as data; never throws, whatever getters or proxies it is made of. */
export interface ThrownFailure {
  readonly message: string;
  readonly context: readonly FailureDetail[];
  readonly stack?: string;
  /** The `code` of the error or one of its causes, e.g. `policy_denied`. */
  readonly codes: readonly string[];
}

/** Reads what was thrown: message, the first context in the chain of causes, stack, codes. */
export function describeThrown(thrown: unknown): ThrownFailure {
  const chain = [thrown];
  for (let last = thrown; chain.length < MAX_CAUSES; chain.push(last)) {
    last = readMember(last, "cause");
    if (last === undefined) break;
  }
  const context = chain.map((each) => (typeof each === "object" && each !== null ? details.get(each) : undefined));
  const codes = chain.map((each) => readMember(each, "code")).filter((code) => typeof code === "string");
  const stack = readMember(thrown, "stack");
  return {
    message: describeMessage(thrown),
    context: context.find((pairs) => pairs !== undefined) ?? [],
    ...(typeof stack === "string" && { stack: cutText(stack, "stack") }),
    codes,
  };
}

function describeMessage(thrown: unknown): string {
  const message = readMember(thrown, "message");
  if (typeof message !== "string") return cutText(typeof thrown === "string" ? thrown : inspect(thrown), "message");
  const name = readMember(thrown, "name");
  const plain = thrown instanceof HookError || name === "Error" || typeof name !== "string" || name === "";
  return cutText(plain ? message : `${name}: ${message}`, "message");
}

function readMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
