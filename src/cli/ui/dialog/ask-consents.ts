/** Consents asked one by one. */
import { confirm } from "@inquirer/prompts";
import { showControlCharacters } from "../../../core/report/plain-text.ts";
import type { FormConsent, InstallRequest } from "../../../engine/api.ts";
import { renderConsent } from "../firing-text.ts";
import type { Terminal } from "../terminal.ts";

/** Consents touched so far, by hook id. */
export type Consents = NonNullable<InstallRequest["consents"]>;

/** Asks consent by consent: each answer may open or close those after it. Those given are asked again only on demand. */
export async function askConsents(
  read: (touched: Consents) => Promise<readonly FormConsent[]>,
  given: Consents,
  { signal }: Terminal,
  again = false,
): Promise<Consents> {
  let touched = given;
  const asked = new Set(again ? [] : Object.keys(given));
  for (;;) {
    const rows = await read(touched);
    const next = rows.find(({ hookId, available }) => available && !asked.has(hookId));
    if (next === undefined) return touched;
    asked.add(next.hookId);
    const agreed = await confirm(
      { message: showControlCharacters(renderConsent(next)), default: next.checked },
      { signal },
    );
    touched = { ...touched, [next.hookId]: agreed };
  }
}
