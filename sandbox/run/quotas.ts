/** Counts what a run uses up, and ends it at the first limit passed. */
import type { RunReason } from "../contract.ts";
import type { RunLimits } from "../limits.ts";
import type { ContextCall } from "../protocol/context-call.ts";
import type { WireError } from "../protocol/ops.ts";

/** Ends the run; only the first call counts. */
export type EndRun = (reason: RunReason, message: string) => void;

/** The counters of one run. */
export class Quotas {
  readonly limits: RunLimits;
  readonly #end: EndRun;
  readonly #used = new Map<QuotaName, number>();
  readonly #checkpoints = new Set<string>();

  constructor(limits: RunLimits, end: EndRun) {
    this.limits = limits;
    this.#end = end;
  }

  /** Adds to what was used; false, with the run ended, when that passes the limit. */
  use(name: QuotaName, amount = 1): boolean {
    const used = this.used(name) + amount;
    this.#used.set(name, used);
    const row = QUOTAS[name];
    const limit = this.limits[row.limit];
    if (used <= limit) return true;
    this.#end(row.reason, `the script used more than the allowed ${limit} ${row.unit}`);
    return false;
  }

  /** Ends the run when an error says that a limit of a single file or response was passed. */
  passed({ code, message }: WireError): boolean {
    if (code === undefined || !isQuota(code)) return false;
    this.#end(code, message);
    return true;
  }

  used(name: QuotaName): number {
    return this.#used.get(name) ?? 0;
  }

  /** Amounts used up so far, for a later life of the run, without those only held at the moment. */
  get spent(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#used].filter(([name]) => !HELD.has(name)));
  }

  /** Goes on from what earlier lives of the run have used up. */
  restore(spent: Readonly<Record<string, number>>): void {
    for (const name of Object.keys(QUOTAS)) if (isName(name)) this.#used.set(name, spent[name] ?? 0);
  }

  /** Counts the checkpoints of a call that an earlier life has carried out. */
  knowCheckpoints(call: ContextCall): void {
    for (const id of listCheckpoints(call)) this.#checkpoints.add(id);
    this.#used.set("checkpoints", this.#checkpoints.size);
  }

  /** Counts the distinct checkpoints a call names; false, with the run ended, when there are too many. */
  useCheckpoints(call: ContextCall): boolean {
    return listCheckpoints(call).every((id) => {
      if (this.#checkpoints.has(id)) return true;
      this.#checkpoints.add(id);
      return this.use("checkpoints");
    });
  }
}

function isQuota(code: string): code is `quota_${string}` {
  return code.startsWith("quota_");
}

const QUOTAS = {
  messages: { limit: "messages", reason: "quota_messages", unit: "calls out of the sandbox" },
  messageBytes: { limit: "messageBytes", reason: "quota_messages", unit: "characters of calls out of the sandbox" },
  timers: { limit: "timers", reason: "quota_timers", unit: "live timers" },
  checkpoints: { limit: "checkpoints", reason: "quota_checkpoints", unit: "checkpoints" },
  fetches: { limit: "fetches", reason: "quota_fetches", unit: "requests" },
  responseBytes: { limit: "responsesBytes", reason: "quota_responses", unit: "bytes of responses" },
  requestBytes: { limit: "requestBytes", reason: "quota_request", unit: "bytes of request bodies at once" },
  logLines: { limit: "logLines", reason: "quota_log", unit: "log lines" },
  logBytes: { limit: "logBytes", reason: "quota_log", unit: "bytes of log" },
  fileBytes: { limit: "filesBytes", reason: "quota_files", unit: "bytes read from files" },
} as const satisfies Record<string, { limit: keyof RunLimits; reason: RunReason; unit: string }>;

type QuotaName = keyof typeof QUOTAS;

/** Given back while the run goes on, or counted again from the calls. */
const HELD: ReadonlySet<QuotaName> = new Set(["timers", "requestBytes", "checkpoints"]);

function listCheckpoints(call: ContextCall): readonly string[] {
  if (call.kind === "registerCheckpoints") return call.checkpoints.map(({ id }) => id);
  return "id" in call ? [call.id] : [];
}

function isName(name: string): name is QuotaName {
  return name in QUOTAS;
}
