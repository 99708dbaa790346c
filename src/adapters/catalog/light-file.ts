/**
 * Which files the engine's thread may check itself: those of which none, whatever it holds, takes more than some ms.
 * Nearly every real script is one; the others cost a process.
 */

/** Most UTF-16 units. */
export const LIGHT_UNITS = 16 * 1024;
/** Most characters that begin a value or a macro. */
export const LIGHT_MARKS = 1_000;

/** Characters a check's work grows with beside the length: values, macros and what looks like one. */
const MARKS: ReadonlySet<number> = new Set([..."[{,$("].map((mark) => mark.charCodeAt(0)));

/** Whether a text is small and simple enough. */
export function isLight(text: string): boolean {
  if (text.length > LIGHT_UNITS) return false;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) if (MARKS.has(text.charCodeAt(at))) marks += 1;
  return marks <= LIGHT_MARKS;
}
