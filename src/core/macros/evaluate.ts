/** The value of a template. Pure: answers, random strings and host facts come in through the scope. */

import type { Json, JsonObject } from "../json/json.ts";
import type { Gpu, HostFacts } from "../plan/host-facts.ts";
import { MEGABYTES_FORM, PERCENT_FORM, readMegabytes, readPercent } from "./build-macro.ts";
import { type Branch, type Call, type Condition, findOnlyCall, type Sequence, type Template } from "./tree.ts";

/** Where macros get their values. `undefined` means: can't be resolved, and whoever knows why has said so. */
export interface MacroScope {
  readonly facts: HostFacts;
  /** The answer of a declared question, `""` when it has none. */
  readonly answer: (key: string) => Json | undefined;
  /** The path of a configured location. */
  readonly location: (id: string) => string | undefined;
  /** The random string of the `ordinal`-th `$RANDOM_STRING` of this string. */
  readonly randomString: (characters: number, ordinal: number) => string;
  /** Asked before every macro and every list or object of a branch: false where no more may be evaluated. */
  readonly enter: (call: Call) => boolean;
  /** Called after each that was entered. */
  readonly leave: () => void;
  /** Called after every macro that is evaluated, of an `$IF` only the branch taken: false where its value is too much. */
  readonly used: (call: Call, value: Json | undefined) => boolean;
  /** Says why a macro has no value. */
  readonly fault: (call: Call, message: string) => void;
}

/** The typed value of a template without error faults; undefined when a macro in it has none. */
export function evaluate(template: Template, scope: MacroScope): Json | undefined {
  return new Evaluation(template, scope).sequence(template.root);
}

/** The text of a value inside longer text (docs/decisions.md, section 2.2). */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

/** docs/decisions.md, section 2.3: false are `false`, `0`, `""`, null and the text `false` in any case. */
function isTrue(value: Json): boolean {
  const text = toText(value).trim();
  return text !== "" && text !== "0" && text.toLowerCase() !== "false";
}

/** `$GPU_CONFIG()` (docs/decisions.md, section 1): an NVIDIA card counts when its drivers gave it a uuid. */
function buildGpuConfig(gpus: readonly Gpu[]): JsonObject {
  const usable = gpus.filter(isUsable);
  const nvidia = usable.filter(isNvidia);
  if (nvidia.length === 0) return { use_all_gpus: usable.length > 0 };
  const selection = nvidia.map(({ slot, uuid }) => [slot, { use_gpu: true, uuid: uuid ?? "" }] as const);
  return { use_all_gpus: true, nvidia_gpu_selection: Object.fromEntries(selection) };
}

/** Whether an app can use a graphics card of the host. */
export function isUsable(gpu: Gpu): boolean {
  return !isNvidia(gpu) || gpu.uuid !== undefined;
}

function isNvidia({ vendor }: Gpu): boolean {
  return /nvidia/i.test(vendor);
}

/** The larger of `percent` of the host's memory and `minimum`, in whole MB. */
function computeMemory(memoryMb: number, percent: number, minimum: number): number {
  // The product may miss a whole number by a rounding error: six places are far below one MB and far above the error.
  return Math.max(Math.floor(Number(((memoryMb * percent) / 100).toFixed(6))), minimum);
}

class Evaluation {
  readonly #template: Template;
  readonly #scope: MacroScope;
  #ordinals: ReadonlyMap<number, number> | null = null;

  constructor(template: Template, scope: MacroScope) {
    this.#template = template;
    this.#scope = scope;
  }

  sequence(sequence: Sequence): Json | undefined {
    const only = findOnlyCall(sequence);
    return only === null ? this.#text(sequence) : this.#call(only);
  }

  #text(sequence: Sequence): string | undefined {
    const texts: string[] = [];
    for (const part of sequence.parts) {
      const value = typeof part === "string" ? part : this.#call(part);
      if (value === undefined) return undefined;
      texts.push(toText(value));
    }
    return texts.join("");
  }

  #call(call: Call): Json | undefined {
    if (!this.#scope.enter(call)) return undefined;
    const value = this.#valueOf(call);
    this.#scope.leave();
    return this.#scope.used(call, value) ? value : undefined;
  }

  #valueOf(call: Call): Json | undefined {
    const { facts } = this.#scope;
    switch (call.name) {
      case "SERVER_LAN_IP":
        return facts.lanIp;
      case "SERVER_HOST_ID":
        return facts.hostId;
      case "GPU_CONFIG":
        return buildGpuConfig(facts.gpus);
      case "LOCATION":
        return this.#scope.location(call.location);
      case "QUESTION":
        return this.#scope.answer(call.key);
      case "RANDOM_STRING":
        return this.#scope.randomString(call.characters, this.#ordinalOf(call));
      case "MEMORY":
        return this.#memory(call, call.percent, call.minimum);
      case "APP_INSTALLED":
        return this.#appInstalled(call.app);
      case "HOST_PATH":
        return this.#hostPath(call.path);
      case "MOUNTED_HOST_PATH":
        return this.#mountedHostPath(call.path, call.mountPoint);
      case "IF":
        return this.#if(call, call.condition, call.whenTrue, call.whenFalse);
      case "INVALID":
        return undefined;
    }
  }

  #memory(call: Call, percentage: Sequence, least: Sequence): number | undefined {
    const texts = [this.#text(percentage), this.#text(least)] as const;
    if (texts[0] === undefined || texts[1] === undefined) return undefined;
    const percent = readPercent(texts[0]);
    const minimum = readMegabytes(texts[1]);
    if (percent === null) this.#scope.fault(call, `${PERCENT_FORM}, not "${texts[0]}"`);
    if (minimum === null) this.#scope.fault(call, `${MEGABYTES_FORM}, not "${texts[1]}"`);
    if (percent === null || minimum === null) return undefined;
    return computeMemory(this.#scope.facts.memoryMb, percent, minimum);
  }

  #appInstalled(app: Sequence): string | undefined {
    const id = this.#text(app)?.trim().toLowerCase();
    if (id === undefined) return undefined;
    return String(Object.keys(this.#scope.facts.apps).some((installed) => installed.toLowerCase() === id));
  }

  #hostPath(sequence: Sequence): JsonObject | undefined {
    const path = this.#text(sequence);
    return path === undefined ? undefined : { type: "host_path", host_path_config: { acl_enable: false, path } };
  }

  #mountedHostPath(sequence: Sequence, mountPoint: Sequence): JsonObject | undefined {
    const path = this.#text(sequence);
    const mount_path = this.#text(mountPoint);
    if (path === undefined || mount_path === undefined) return undefined;
    return { type: "host_path", read_only: false, mount_path, host_path_config: { acl_enable: false, path } };
  }

  #if(call: Call, condition: Condition, whenTrue: Branch, whenFalse: Branch | null): Json | undefined {
    const holds = this.#holds(condition);
    if (holds === undefined) return undefined;
    const branch = holds ? whenTrue : whenFalse;
    return branch === null ? "" : this.#branch(call, branch);
  }

  #holds(condition: Condition): boolean | undefined {
    switch (condition.kind) {
      case "truthy": {
        const value = this.sequence(condition.operand);
        return value === undefined ? undefined : isTrue(value);
      }
      case "equal": {
        const [left, right] = [this.#text(condition.left), this.#text(condition.right)];
        if (left === undefined || right === undefined) return undefined;
        return (left.trim() === right.trim()) !== condition.negated;
      }
      case "not": {
        const holds = this.#holds(condition.condition);
        return holds === undefined ? undefined : !holds;
      }
      case "all":
      case "any":
        return this.#combine(condition.kind === "any", condition.conditions);
    }
  }

  /** Stops at the first condition that decides, so that a later one that can't be resolved does no harm. */
  #combine(decisive: boolean, conditions: readonly Condition[]): boolean | undefined {
    for (const condition of conditions) {
      const holds = this.#holds(condition);
      if (holds === undefined || holds === decisive) return holds;
    }
    return !decisive;
  }

  #branch(call: Call, branch: Branch): Json | undefined {
    if (!this.#scope.enter(call)) return undefined;
    const value = this.#branchValue(call, branch);
    this.#scope.leave();
    return value;
  }

  #branchValue(call: Call, branch: Branch): Json | undefined {
    switch (branch.kind) {
      case "sequence":
        return this.sequence(branch);
      case "scalar":
        return branch.value;
      case "array": {
        const items: Json[] = [];
        for (const item of branch.items) {
          const value = this.#branch(call, item);
          if (value === undefined) return undefined;
          if (!(value === "" && item.kind === "sequence" && findOnlyCall(item)?.name === "IF")) items.push(value);
        }
        return items;
      }
      case "object": {
        const entries: (readonly [string, Json])[] = [];
        for (const [key, member] of branch.entries) {
          const value = this.#branch(call, member);
          if (value === undefined) return undefined;
          entries.push([key, value]);
        }
        return Object.fromEntries(entries);
      }
    }
  }

  /** Which `$RANDOM_STRING` of the string a call is, counted from its start whether evaluated or not. */
  #ordinalOf(call: Call): number {
    this.#ordinals ??= new Map(
      this.#template.calls
        .filter(({ name }) => name === "RANDOM_STRING")
        .map(({ offset }, ordinal) => [offset, ordinal]),
    );
    return this.#ordinals.get(call.offset) ?? 0;
  }
}
