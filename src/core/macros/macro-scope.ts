import type { Json } from "../json/json.ts";
import type { HostFacts } from "../plan/host-facts.ts";
import type { Call } from "./tree.ts";

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
  /** Told which branch an `$IF` takes: the first where its condition holds. */
  readonly branched: (call: Call, holds: boolean) => void;
  /** Says why a macro has no value. */
  readonly fault: (call: Call, message: string) => void;
}
