/** The value of a template. Pure: answers, random strings and host facts come in through the scope. */

import type { Json, JsonObject } from "../json/json.ts";
import { standsInUrl, toUrlHost } from "../plan/url-host.ts";
import { MEGABYTES_FORM, PERCENT_FORM, readMegabytes, readPercent } from "./build-macro.ts";
import type { MacroScope } from "./macro-scope.ts";
import { buildGpuConfig, computeMemory, isTrue, toText } from "./macro-values.ts";
import { type Branch, type Call, type Condition, findOnlyCall, type Sequence, type Template } from "./tree.ts";

/** The typed value of a template without error faults; undefined when a macro in it has none. */
export function evaluate(template: Template, scope: MacroScope): Json | undefined {
  return new Evaluation(template, scope).sequence(template.root);
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
    let text = "";
    for (const [at, part] of sequence.parts.entries()) {
      const value = typeof part === "string" ? part : this.#call(part);
      if (value === undefined) return undefined;
      text += this.#isLanAddress(part, value) ? this.#placeAddress(text, sequence.parts[at + 1]) : toText(value);
    }
    return text;
  }

  /** An answer with the same text is data and stays as it is. */
  #isLanAddress(part: string | Call, value: Json): boolean {
    if (typeof part === "string" || value !== this.#scope.facts.lanIp) return false;
    return part.name === "SERVER_LAN_IP" || part.name === "IF";
  }

  #placeAddress(before: string, next: string | Call | undefined): string {
    const { lanIp } = this.#scope.facts;
    return standsInUrl(before, typeof next === "string" ? next : "") ? toUrlHost(lanIp) : lanIp;
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
    this.#scope.branched(call, holds);
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
