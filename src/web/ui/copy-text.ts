/**
 * Copies a text, on plain http too: there browsers have no `navigator.clipboard`, and what is selected is copied instead.
 * `from` is the button that was pressed; an open dialog takes no focus outside of itself, so the selection stands beside
 * it. False where the browser refuses.
 */
export async function copyText(text: string, from: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // A page may be kept from its clipboard by its permissions policy: the older way may still be open.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;opacity:0";
  from.after(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    // First: a field that goes with the keyboard leaves it nowhere, which is told as its going elsewhere.
    from.focus();
    field.remove();
  }
}
