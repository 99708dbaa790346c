/** The pattern of a question (`valid_chars`), matched at a text's start as Python's `re.match` does. */

/** Longest text that is matched, in UTF-16 units. Patterns come from outside, and matching may take its cube. */
const MAX_MATCHED = 256;

/** Whether a text has the pattern's form. True also if that can't be judged in bounded time. */
export function matchesValidChars(pattern: string, text: string): boolean {
  if (text.length > MAX_MATCHED || !isBounded(pattern)) return true;
  const compiled = compile(pattern);
  return compiled === null || compiled.test(text);
}

function compile(pattern: string): RegExp | null {
  try {
    return new RegExp(`^(?:${pattern})`);
  } catch {
    return null;
  }
}

/** Most ways to match a text that are tried, by the estimate of `countWays`. */
const MAX_WAYS = 2 ** 25;
const QUANTIFIER = /^(?:[*+?]|\{(?<least>\d*)(?<open>,(?<most>\d*))?\})\??/;
/** What makes a group one that captures nothing, looks around or has a name. */
const PREFIX = /^\?(?:[:=!]|<[=!]|P?<\w+>)/;

/** False if matching may take too many ways: exponentially many if what is repeated varies, or the pattern refers back. */
function isBounded(pattern: string): boolean {
  return countWays(pattern) <= MAX_WAYS;
}

/** An upper bound of the ways to match a text; infinite if it grows exponentially with the text. */
function countWays(pattern: string): number {
  /** For each open group: whether there are several ways to match it. */
  const groups: boolean[] = [false];
  let ways = 1;
  const vary = (times: number): void => {
    ways *= times;
    if (times > 1) groups[groups.length - 1] = true;
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const unit = pattern.charAt(at);
    let varies = false;
    if (unit === "|") {
      vary(2);
      continue;
    }
    if (unit === "(") {
      groups.push(false);
      at += PREFIX.exec(pattern.slice(at + 1))?.[0].length ?? 0;
      continue;
    }
    if (unit === ")") {
      varies = groups.pop() ?? false;
      if (varies) groups[groups.length - 1] = true;
    } else if (unit === "\\") {
      at += 1;
      if (/[1-9k]/.test(pattern.charAt(at))) return Number.POSITIVE_INFINITY;
    } else if (unit === "[") at = findClassEnd(pattern, at);
    const quantifier = QUANTIFIER.exec(pattern.slice(at + 1));
    if (quantifier === null) continue;
    if (varies && !quantifier[0].startsWith("?")) return Number.POSITIVE_INFINITY;
    vary(weigh(quantifier));
    at += quantifier[0].length;
  }
  return ways;
}

/** The place of the bracket that ends a class. */
function findClassEnd(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern.charAt(at) === "^") at += 1;
  for (; at < pattern.length && pattern.charAt(at) !== "]"; at += 1) if (pattern.charAt(at) === "\\") at += 1;
  return at;
}

/** In how many ways a quantifier can hold. */
function weigh({ 0: text, groups: { least, open, most } = {} }: RegExpExecArray): number {
  if (text.startsWith("?")) return 2;
  if (least === undefined) return MAX_MATCHED;
  if (open === undefined) return 1;
  return most === undefined || most === "" ? MAX_MATCHED : Math.max(1, Number(most) - Number(least) + 1);
}
