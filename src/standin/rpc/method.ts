import type { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import type { JobHandle, JobRecord } from "../jobs/job.ts";
import type { HostGeneration } from "../settings.ts";
import type { World } from "../world.ts";
import { parseArguments } from "./arguments.ts";

/** Options of one session, by the host's names (docs/host-api.md, section 2). */
export interface SessionOptions {
  /** True: J calls answer at once with the job's id. False: they answer with the job's result or error. */
  readonly legacy_jobs: boolean;
  /** Kept and answered; the stand-in has no private methods. */
  readonly private_methods: boolean;
  /** Kept and answered; the stand-in's errors carry no Python exception. */
  readonly py_exceptions: boolean;
}

/** The sender of a call, as far as methods may know it. */
export interface Caller {
  readonly loggedIn: boolean;
  /** Marks the session as logged in or out. */
  setLoggedIn(loggedIn: boolean): void;
  /** Changes options of this session and returns all of them. */
  setOptions(changed: Partial<SessionOptions>): SessionOptions;
  /** Starts a subscription of this session and returns its id. */
  subscribe(name: string): string;
  unsubscribe(id: string): void;
  /** Another method, run on behalf of this caller. Throws ENOMETHOD for an unknown one; the function throws its `RpcError`. */
  find(method: string): (params: readonly Json[]) => Promise<Started>;
}

/** What a method answered, or the job it started. */
export type Started =
  | { readonly kind: "result"; readonly result: Json }
  | { readonly kind: "job"; readonly job: JobRecord };

/** A method of the host's API, arguments already bound to its schema. */
export type Method = DirectMethod | JobMethod;

/** Generations that have a method; default: all. */
export interface Span {
  /** The first. */
  readonly since?: HostGeneration;
  /** The first that does not have it any more. */
  readonly before?: HostGeneration;
}

interface Named extends Span {
  readonly name: string;
  /** Names of the positional arguments, as error paths show them. */
  readonly names: readonly string[];
  /** Checks the arguments alone; throws -32602. */
  check(params: readonly unknown[]): void;
}

/** Answers with its result. */
interface DirectMethod extends Named {
  readonly kind: "direct";
  /** Callable before login. */
  readonly open: boolean;
  run(world: World, params: readonly unknown[], caller: Caller): Promise<Json> | Json;
}

/** Answers with a job. */
export interface JobMethod extends Named {
  readonly kind: "job";
  readonly abortable: boolean;
  /** Jobs of one lock run one after another; throws when the arguments name none. */
  lock(params: readonly unknown[], generation: HostGeneration): string | null;
  description(params: readonly unknown[]): string;
  run(world: World, params: readonly unknown[], job: JobHandle, caller: Caller): Promise<Json>;
}

interface Definition<S extends z.ZodType> extends Span {
  readonly name: string;
  /** Names of the positional arguments, as error paths show them. */
  readonly names: readonly string[];
  readonly params: S;
}

/** Defines a method that answers with its result. */
export function defineDirect<S extends z.ZodType>(
  definition: Definition<S> & {
    readonly open?: boolean;
    readonly run: (world: World, args: z.output<S>, caller: Caller) => Promise<Json> | Json;
  },
): DirectMethod {
  const { names, params: schema, open = false, run, ...rest } = definition;
  return {
    kind: "direct",
    ...rest,
    names,
    open,
    check: (params) => void parseArguments(names, schema, params),
    run: (world, params, caller) => run(world, parseArguments(names, schema, params), caller),
  };
}

/** Defines a method that runs as a job; its argument errors surface inside the job. */
export function defineJob<S extends z.ZodType>(
  definition: Definition<S> & {
    readonly abortable?: boolean;
    readonly lock?: (params: readonly unknown[], generation: HostGeneration) => string | null;
    readonly description?: (params: readonly unknown[]) => string;
    readonly run: (world: World, args: z.output<S>, job: JobHandle, caller: Caller) => Promise<Json>;
  },
): JobMethod {
  const { names, params: schema, abortable = false, lock, description, run, ...rest } = definition;
  return {
    kind: "job",
    ...rest,
    names,
    abortable,
    lock: lock ?? (() => null),
    description: description ?? (() => ""),
    check: (params) => void parseArguments(names, schema, params),
    run: async (world, params, handle, caller) => run(world, parseArguments(names, schema, params), handle, caller),
  };
}
