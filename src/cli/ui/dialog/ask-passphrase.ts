import type { Terminal } from "../terminal.ts";
import { loadPrompts } from "./ask.ts";

/** Asks for a passphrase; a new one twice, since a mistyped one opens nothing any more. */
export async function askPassphrase(isNew: boolean, { signal }: Terminal): Promise<string> {
  const { password } = await loadPrompts();
  const typed = await password({ message: "Passphrase of the export", mask: true }, { signal });
  if (!isNew) return typed;
  const validate = (again: string) => again === typed || "it is not the same";
  return password({ message: "The same once more", mask: true, validate }, { signal });
}
