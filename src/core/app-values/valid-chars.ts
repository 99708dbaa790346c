/** The pattern of a question (`valid_chars`), matched at a text's start as Python's `re.match` does. */

/** Longest text that is matched, in UTF-16 units. Patterns come from outside, and matching may take the cube of it. */
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

const UNBOUNDED = /^(?:[*+]|\{\d*,\d*\})/;

/** False if a repeated group holds a repetition, or the pattern refers back: matching may take exponential time. */
function isBounded(pattern: string): boolean {
  /** For each open group: whether it holds a repetition. */
  const groups: boolean[] = [false];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const unit = pattern.charAt(at);
    if (unit === "\\") {
      at += 1;
      if (!inClass && /[1-9k]/.test(pattern.charAt(at))) return false;
    } else if (inClass) {
      inClass = unit !== "]";
    } else if (unit === "[") {
      inClass = true;
    } else if (unit === "(") {
      groups.push(false);
    } else if (unit === ")") {
      const repeats = groups.pop() ?? false;
      const isRepeated = UNBOUNDED.test(pattern.slice(at + 1));
      if (repeats && isRepeated) return false;
      if (repeats || isRepeated) groups[groups.length - 1] = true;
    } else if (UNBOUNDED.test(pattern.slice(at))) {
      groups[groups.length - 1] = true;
    }
  }
  return true;
}
