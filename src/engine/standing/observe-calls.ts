import type { Host } from "../ports/host.ts";

/** Told of a call's answer as it is asked for; what it throws or rejects with is its own affair. */
type CallObserver = (answer: Promise<unknown>, member: string, asked: readonly unknown[]) => Promise<void>;

/** The same host; what is asked of it is shown to the observer, who never keeps it from the caller. */
export function observeCalls(host: Host, observe: CallObserver): Host {
  return new Proxy(host, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...asked: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, asked);
        // The close of a host says nothing of it.
        if (answer instanceof Promise && name !== "close") void observe(answer, String(name), asked);
        return answer;
      };
    },
  });
}
