import { HostError } from "../../../src/engine/host-error.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type { EngineWorld } from "../engine/engine-world.ts";
import { faultOf } from "../engine/scripted-world.ts";

/** What a host says that does not do what it is asked. */
export const REFUSAL = faultOf("HOST_CALL_FAILED", "[EFAULT] no");

/** Stands before the host: calls of an open host effect wait until the path lets that effect have its answer. */
export function closeGate({ host, store }: EngineWorld) {
  const passing = new Set<string>();
  const waiting: (() => void)[] = [];
  const gate = {
    /** The task whose effects are let through one by one. */
    subject: "",
    /** Effects whose every call is refused. */
    refused: new Set<string>(),
    /** Lets an effect of the subject have its answers. */
    release(effectId: string) {
      passing.add(effectId);
      knock();
    },
    /** Lets every effect of other tasks have its answers. */
    openToOthers() {
      others = true;
      knock();
    },
    /** Holds nothing any more, so that the engine can close. */
    openForGood() {
      always = true;
      knock();
    },
  };
  let others = false;
  let always = false;

  function knock(): void {
    for (const again of waiting.splice(0)) again();
  }

  /** The effect that calls: of the subject, else of another task; scripts and methods are let through. */
  function caller() {
    const open = store.openEffects().filter(({ name }) => name.startsWith("host.") || name === "hook.judge");
    return open.find(({ taskId }) => taskId === gate.subject) ?? open[0];
  }

  async function pass(): Promise<void> {
    const effect = caller();
    if (effect === undefined) return;
    const mayPass = () => always || passing.has(effect.id) || (others && effect.taskId !== gate.subject);
    while (!mayPass()) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    if (gate.refused.has(effect.id)) throw new HostError(REFUSAL, "yes");
  }

  const gated = Object.entries(host).flatMap(([name, call]) =>
    typeof call !== "function" || name === "localPath" || name === "close"
      ? []
      : [[name, (...asked: unknown[]) => pass().then(() => Reflect.apply(call, host, asked))]],
  );
  Object.assign(host, Object.fromEntries(gated) satisfies Partial<Host>);
  return gate;
}
