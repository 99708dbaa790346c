/** The condition of an `$IF` (docs/install-scripts.md, "Macros"; docs/decisions.md, section 2.3). */
import type { Argument } from "./read-arguments.ts";
import { isComparison, isQuote, type Reader, readSequence, type TextRange, trimRange } from "./reader.ts";
import type { Condition, Sequence } from "./tree.ts";

/** The condition an argument holds; `operator` combines the items of a list. */
export function readCondition(reader: Reader, argument: Argument, operator: "all" | "any"): Condition {
  switch (argument.kind) {
    case "list":
      return { kind: operator, conditions: argument.items.map((item) => readCondition(reader, item, operator)) };
    case "literal":
      throw new Error("an argument of role condition is never read as JSON");
    case "text":
      return readComparison(reader, trimRange(reader.text, argument));
  }
}

function readComparison(reader: Reader, range: TextRange): Condition {
  const { text } = reader;
  const { start, end } = range;
  let negations = 0;
  let from = start;
  while (from < end && text[from] === "!" && text[from + 1] !== "=") {
    negations += 1;
    from = trimRange(text, { start: from + 1, end }).start;
  }
  const condition = readPositive(reader, { start: from, end });
  return negations % 2 === 1 ? { kind: "not", condition } : condition;
}

function readPositive(reader: Reader, range: TextRange): Condition {
  const at = findComparison(reader, range);
  if (at === -1) return { kind: "truthy", operand: readOperand(reader, range) };
  return {
    kind: "equal",
    negated: reader.text[at] === "!",
    left: readOperand(reader, { start: range.start, end: at }),
    right: readOperand(reader, { start: at + 2, end: range.end }),
  };
}

/** The first `==` or `!=` outside macros and outside a quoted left side. */
function findComparison(reader: Reader, { start, end }: TextRange): number {
  const { text } = reader;
  for (let at = start; at < end; ) {
    const read = text[at] === "$" ? reader.callAt(at) : null;
    if (read !== null) at = read.end;
    else if (isComparison(text, at) && at + 2 <= end && !splitsQuote(text, start, at)) return at;
    else at += 1;
  }
  return -1;
}

/** Whether the left side begins with a quote that has not ended at `at`. */
function splitsQuote(text: string, start: number, at: number): boolean {
  if (!isQuote(text.charAt(start))) return false;
  const left = trimRange(text, { start, end: at });
  return left.end - left.start < 2 || text[left.end - 1] !== text[start];
}

function readOperand(reader: Reader, range: TextRange): Sequence {
  const { text } = reader;
  const { start, end } = trimRange(text, range);
  const quoted = end - start >= 2 && isQuote(text.charAt(start)) && text[start] === text[end - 1];
  return readSequence(reader, quoted ? { start: start + 1, end: end - 1 } : { start, end });
}
