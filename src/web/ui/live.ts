/** `live` of Lit for properties alone, the only parts it is used for here. */
import { noChange } from "lit";
import { Directive, directive, type PropertyPart } from "lit/directive.js";
import { setCommittedValue } from "lit/directive-helpers.js";

class Live extends Directive {
  render<Value>(value: Value): Value {
    return value;
  }

  override update(part: PropertyPart, [value]: [unknown]): unknown {
    if (Reflect.get(part.element, part.name) === value) return noChange;
    setCommittedValue(part);
    return value;
  }
}

/** A property's value, set also where the element itself has another one by now: somebody has typed into it. */
export const live = directive(Live);
