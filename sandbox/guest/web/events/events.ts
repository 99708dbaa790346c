/** Event (DOM standard, section 2). */
import { readNow, readTimeOrigin } from "../../bridge/bridge.ts";
import { exposeMembers, requireConstructorArguments, toDictionary, toDomString } from "../webidl.ts";

/** Values of `eventPhase`. */
export const PHASES = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 } as const;

/** The target of an event; event-target.ts has the class. */
interface Target {
  dispatchEvent(event: Event): boolean;
}

/** The state of an event that dispatching changes. */
export interface EventState {
  type: string;
  bubbles: boolean;
  cancelable: boolean;
  initialized: boolean;
  dispatching: boolean;
  canceled: boolean;
  stopped: boolean;
  stoppedImmediately: boolean;
  inPassiveListener: boolean;
  trusted: boolean;
  target: Target | null;
  currentTarget: Target | null;
  phase: number;
}

/** Opens an event's state to this file; set from inside the class. */
let stateOf: (event: Event) => EventState;

/** An event's state, to the guest only. */
export function readEventState(event: Event): EventState {
  return stateOf(event);
}

/** `isTrusted` is an own accessor of each event, the same getter for all (`[LegacyUnforgeable]`). */
const { get: isTrusted } = Object.getOwnPropertyDescriptor(
  {
    get isTrusted(): boolean {
      return stateOf(this as unknown as Event).trusted;
    },
  },
  "isTrusted",
) as { get: () => boolean };

export class Event {
  static {
    stateOf = (event) => event.#state;
  }

  readonly #state: EventState;
  readonly #timeStamp = readNow() - readTimeOrigin();
  readonly #composed: boolean;

  constructor(...args: readonly [type: unknown, options?: unknown]) {
    requireConstructorArguments(args.length, 1, new.target.name);
    const type = toDomString(args[0]);
    const { bubbles, cancelable, composed } = toDictionary(args[1], "EventInit");
    this.#composed = Boolean(composed);
    this.#state = {
      type,
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
      initialized: true,
      dispatching: false,
      canceled: false,
      stopped: false,
      stoppedImmediately: false,
      inPassiveListener: false,
      trusted: false,
      target: null,
      currentTarget: null,
      phase: PHASES.NONE,
    };
    Object.defineProperty(this, "isTrusted", { get: isTrusted, enumerable: true, configurable: false });
  }

  get type(): string {
    return this.#state.type;
  }
  get target(): Target | null {
    return this.#state.target;
  }
  get srcElement(): Target | null {
    return this.#state.target;
  }
  get currentTarget(): Target | null {
    return this.#state.currentTarget;
  }
  get eventPhase(): number {
    return this.#state.phase;
  }
  get bubbles(): boolean {
    return this.#state.bubbles;
  }
  get cancelable(): boolean {
    return this.#state.cancelable;
  }
  get composed(): boolean {
    return this.#composed;
  }
  get defaultPrevented(): boolean {
    return this.#state.canceled;
  }
  get timeStamp(): number {
    return this.#timeStamp;
  }
  get returnValue(): boolean {
    return !this.#state.canceled;
  }
  set returnValue(value: unknown) {
    if (!value) this.preventDefault();
  }
  get cancelBubble(): boolean {
    return this.#state.stopped;
  }
  set cancelBubble(value: unknown) {
    if (value) this.#state.stopped = true;
  }

  composedPath(): Target[] {
    const { currentTarget } = this.#state;
    return currentTarget === null ? [] : [currentTarget];
  }
  stopPropagation(): void {
    this.#state.stopped = true;
  }
  stopImmediatePropagation(): void {
    this.#state.stopped = true;
    this.#state.stoppedImmediately = true;
  }
  preventDefault(): void {
    const state = this.#state;
    if (state.cancelable && !state.inPassiveListener) state.canceled = true;
  }
  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    const state = this.#state;
    if (state.dispatching) return;
    Object.assign(state, {
      type: toDomString(type),
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
      initialized: true,
      canceled: false,
      stopped: false,
      stoppedImmediately: false,
      target: null,
    });
  }
}
exposeMembers(Event, "Event", { new: 1, initEvent: 1 });
for (const [key, value] of Object.entries(PHASES)) {
  Object.defineProperty(Event, key, { value, enumerable: true });
  Object.defineProperty(Event.prototype, key, { value, enumerable: true });
}
