/** The words of whatever was thrown: an error's message, anything else as text. */
export function readMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
