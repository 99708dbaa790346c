import type { MethodDeps } from "../methods/deps.ts";

/** Ms the host's answer is good for. */
const KEPT_MS = 600_000;

/** The host's time zone, as it said last; UTC where it tells none this machine knows. Rejects before the host's first answer. */
export async function readTimeZone({ answers }: Pick<MethodDeps, "answers">): Promise<string> {
  const { timeZone = "UTC" } = (await answers.facts(KEPT_MS)).value;
  return isTimeZone(timeZone) ? timeZone : "UTC";
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
