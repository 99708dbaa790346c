/**
 * Plays a path of machine events on the real runtime, each event from where it comes: results and reports from
 * the effects the machine asked for, decisions of a person, deadlines from the clock, news of children from child tasks,
 * orders from a parent task.
 */
import { setup } from "xstate";
import { type Json, toJsonObject } from "../../../src/core/json/json.ts";
import { createEffects } from "../../../src/engine/effects/effects.ts";
import type { EffectHandler, MachineEvent, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { toChildTaskId } from "../../../src/engine/runtime/runtime.ts";
import { DEFAULT_TIMING } from "../../../src/engine/runtime/timing.ts";
import { ORIGINS } from "../engine/event-origins.ts";
import { createHeldHandler, createWorld, type HeldHandler } from "../engine/runtime-world.ts";

/** Says to its parent or to its child whatever the test tells it to. */
const puppet = setup({
  types: {
    context: {} as { readonly child: Json },
    events: {} as { readonly type: "puppet.say"; readonly to: string; readonly event: Json },
    input: {} as { readonly child: Json },
  },
  actions: { "task.start": (_, _params: Json) => {}, "task.tell": (_, _params: Json) => {} },
  guards: { hasChild: ({ context }) => context.child !== null },
}).createMachine({
  id: "puppet",
  context: ({ input }) => ({ child: input?.child ?? null }),
  initial: "BORN",
  states: {
    BORN: {
      always: [
        { guard: "hasChild", target: "IDLE", actions: { type: "task.start", params: ({ context }) => context.child } },
        { target: "IDLE" },
      ],
    },
    IDLE: {
      on: {
        "puppet.say": { actions: { type: "task.tell", params: ({ event }) => ({ to: event.to, event: event.event }) } },
      },
    },
  },
});

const puppetAs = (id: string): RegisteredMachine => ({
  id,
  version: 1,
  machine: puppet,
  migrate: {},
  view: () => ({ kind: "hook", state: "RUNNING", label: id, progress: 0, marks: [] }),
});

export interface PathPlayer {
  /** Starts the machine under a puppet parent and plays the events; returns the task before the first and after each. */
  play(input: unknown, events: readonly { readonly type: string }[]): Promise<readonly Played[]>;
  /** Events by how they came: `result`, `report`, `decision`, `timer`, `child`, `parent`, `runtime`, or `sent` by hand. */
  readonly came: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
}

export interface Played {
  /** The persisted snapshot. */
  readonly snapshot: Json;
  readonly quarantine: Json;
}

/** Plays paths of one machine; where it has hook tasks as children, those are puppets. */
export function createPathPlayer(folder: string, registered: RegisteredMachine): PathPlayer {
  const held = heldEffects();
  const isParent = registered.id !== "hook-task";
  const others = [puppetAs("puppet"), isParent ? puppetAs("hook-task") : puppetAs("checkpoint")];
  const world = createWorld({ folder, registry: [registered, ...others], handlers: held });
  const { runtime, store, clock } = world;
  const came = new Map<string, Set<string>>();

  function note(event: { readonly type: string }, how: string): void {
    came.set(event.type, (came.get(event.type) ?? new Set()).add(how));
  }

  function openCall(taskId: string, effects: readonly string[]) {
    const open = store.openEffects(taskId).find(({ name }) => effects.includes(name));
    return open && held[open.name]?.calls.find(({ run }) => run.effectId === open.id);
  }

  function byEffect(taskId: string, event: MachineEvent): boolean {
    const origin = ORIGINS.find(({ events }) => events.test(event.type));
    const call = origin && openCall(taskId, origin.effects);
    if (origin === undefined || call === undefined) return false;
    if (origin.ends) call.answer(event);
    else call.run.emit(event);
    note(event, origin.ends ? "result" : "report");
    return true;
  }

  function deliver(taskId: string, parentId: string, event: MachineEvent): void {
    const { type, from } = event;
    const timer = store.timers(taskId).find(({ id }) => id === type);
    if (timer !== undefined) {
      note(event, "timer");
      clock.advance(timer.dueAt - clock.now());
      return;
    }
    if (type.startsWith("parent.")) {
      note(event, "parent");
      runtime.send(parentId, { type: "puppet.say", to: "subject", event });
      return;
    }
    const child = typeof from === "string" ? toChildTaskId(taskId, from) : taskId;
    if (type.startsWith("child.") && store.task(child) !== null) {
      note(event, "child");
      runtime.send(child, { type: "puppet.say", to: "parent", event });
      return;
    }
    if (byEffect(taskId, event)) return;
    const isClick = type.startsWith("user.");
    const isOfRuntime = type.startsWith("engine.");
    note(event, isClick ? "decision" : isOfRuntime ? "runtime" : "sent");
    runtime.send(taskId, event);
  }

  function read(taskId: string): Played {
    const row = store.task(taskId);
    if (row?.snapshot == null) throw new Error("the task has no snapshot");
    return { snapshot: JSON.parse(row.snapshot), quarantine: row.quarantine };
  }

  return {
    came,
    async play(input, events) {
      const child = {
        id: "subject",
        machine: registered.id,
        input: toJsonObject(Object(input)),
        kind: isParent ? "install" : "hook",
        appId: "demo",
      };
      const { id } = runtime.start({ machine: "puppet", input: { child }, kind: "install", appId: "demo" });
      const taskId = toChildTaskId(id, "subject");
      await flown();
      const played = [read(taskId)];
      for (const event of events) {
        deliver(taskId, id, toMachineEvent(event));
        await flown();
        played.push(read(taskId));
      }
      for (const effect of store.openEffects(taskId)) held[effect.name]?.calls.splice(0);
      return played;
    },
    close: world.close,
  };
}

/** Every effect of the engine by its real name and class, performed by the test. */
function heldEffects(): Record<string, HeldHandler> {
  // Only the names and classes are used, so nothing of the case is.
  const real: Readonly<Record<string, EffectHandler>> = createEffects({ timing: DEFAULT_TIMING } as Parameters<
    typeof createEffects
  >[0]);
  return Object.fromEntries(Object.entries(real).map(([name, handler]) => [name, createHeldHandler(handler)]));
}

function toMachineEvent(event: { readonly type: string }): MachineEvent {
  return { ...toJsonObject(Object(JSON.parse(JSON.stringify(event)))), type: event.type };
}

/** Effects have been let out, and their results taken. */
async function flown(): Promise<void> {
  await new Promise(setImmediate);
}
