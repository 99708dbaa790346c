/** Keys that an object of a JSON text has more than once. */
import { createScanner } from "jsonc-parser";
import type { JsonPath } from "./json.ts";
import { TOKEN } from "./json-source-spans.ts";

/** The paths of keys an object of a JSON text has more than once, each once, in the order of the text. */
export function* findRepeatedKeys(text: string): Generator<JsonPath> {
  const scanner = createScanner(text, true);
  /** The open arrays and objects; `keys` are those an object has had, and whether one was told as repeated. */
  const stack: { step: string | number; keys: Map<string, boolean> | null; expectsKey: boolean }[] = [];
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const top = stack.at(-1);
    if (token === TOKEN.openBrace) stack.push({ step: "", keys: new Map(), expectsKey: true });
    else if (token === TOKEN.openBracket) stack.push({ step: 0, keys: null, expectsKey: false });
    else if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) stack.pop();
    else if (top === undefined) continue;
    else if (token === TOKEN.comma && typeof top.step === "number") top.step += 1;
    else if (token === TOKEN.comma) top.expectsKey = true;
    else if (token === TOKEN.string && top.keys !== null && top.expectsKey) {
      top.step = scanner.getTokenValue();
      top.expectsKey = false;
      const told = top.keys.get(top.step);
      if (told === false) yield stack.map(({ step }) => step);
      top.keys.set(top.step, told !== undefined);
    }
  }
}
