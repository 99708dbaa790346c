import { z } from "zod";
import type { Json, JsonObject } from "../../../core/json/json.ts";
import { isJsonObject } from "../../../core/json/json.ts";
import { TASK_KINDS } from "../../../core/task/task-facts.ts";
import type { MachineEvent } from "../effect.ts";

/** An action of one transition, read from xstate's action objects. */
export type TurnAction =
  | { readonly kind: "timer"; readonly id: string; readonly event: MachineEvent; readonly delay: number }
  | { readonly kind: "clear"; readonly id: string }
  | { readonly kind: "start"; readonly child: ChildRequest }
  | { readonly kind: "tell"; readonly to: string; readonly event: MachineEvent }
  | { readonly kind: "notify"; readonly notifications: readonly Notice[] }
  /** Of every open effect without a name. */
  | { readonly kind: "cancel"; readonly name: string | null }
  | { readonly kind: "effect"; readonly name: string; readonly params: JsonObject };

const machineEvent = z.looseObject({ type: z.string().min(1) });

const childRequest = z.object({
  id: z.string().min(1),
  machine: z.string(),
  input: z.record(z.string(), z.unknown()),
  kind: z.enum([...TASK_KINDS, "checkpoint"]),
  appId: z.string(),
  hookId: z.string().nullish(),
  target: z.string().nullish(),
  claim: z.string().nullish(),
});

/** Params of `task.start`, checked. */
export type ChildRequest = z.infer<typeof childRequest>;

const notice = z.object({
  type: z.literal("pairing.linked"),
  runsOnAppId: z.string(),
  hookId: z.string(),
  target: z.string(),
});

/** One of the params of `task.notify`, checked. */
export type Notice = z.infer<typeof notice>;

interface RawAction {
  readonly type: string;
  readonly params?: unknown;
}

/** Reads the actions of one transition in order. Throws on what no machine may do: then the turn is rolled back. */
export function readActions(actions: readonly RawAction[]): readonly TurnAction[] {
  return actions.flatMap(({ type, params }) => {
    // An action without params is an effect without parameters; xstate types params as unknown, JSON by our rule.
    const json = readJson(type, params);
    switch (type) {
      case "xstate.raise":
        return readRaised(json);
      case "xstate.cancel":
        return [{ kind: "clear", id: readText(type, json["sendId"]) }];
      case "task.start":
        return [{ kind: "start", child: childRequest.parse(json) }];
      case "task.notify":
        return [{ kind: "notify", notifications: z.array(notice).parse(json["notifications"]) }];
      case "task.tell":
        return [{ kind: "tell", to: readText(type, json["to"]), event: readEvent(type, json["event"]) }];
      case "effect.cancel":
        return [{ kind: "cancel", name: readText(type, json["name"]) }];
      case "effect.cancelAll":
        return [{ kind: "cancel", name: null }];
      default:
        if (type.startsWith("xstate.")) throw new Error(`action "${type}" is not allowed in a machine`);
        return [{ kind: "effect", name: type, params: json }];
    }
  });
}

function readRaised(params: JsonObject): readonly TurnAction[] {
  const { id, delay, event } = params;
  if (typeof delay === "number") {
    return [{ kind: "timer", id: readText("xstate.raise", id), event: readEvent("xstate.raise", event), delay }];
  }
  // Without a delay: a raise with an id had a delay name nobody defined and would fire at once; one without is consumed.
  if (id !== undefined) throw new Error(`timer ${JSON.stringify(id)} has a delay that "setup" does not define`);
  return [];
}

function readJson(type: string, params: unknown): JsonObject {
  if (params === undefined) return {};
  const json: Json = JSON.parse(JSON.stringify(params));
  if (!isJsonObject(json)) throw new Error(`params of action "${type}" are not an object`);
  return json;
}

function readText(type: string, value: Json | undefined): string {
  if (typeof value !== "string") throw new Error(`action "${type}" needs a string, not ${JSON.stringify(value)}`);
  return value;
}

function readEvent(type: string, value: Json | undefined): MachineEvent {
  const event = machineEvent.safeParse(value);
  if (!event.success) throw new Error(`action "${type}" needs an event, not ${JSON.stringify(value)}`);
  return value as MachineEvent & JsonObject;
}
