/** Who has the keyboard. */

/** The focused element, through every shadow root; undefined where none is. */
export function findFocused(): HTMLElement | undefined {
  let focused: Element | null = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement && focused !== document.body ? focused : undefined;
}

/**
 * To be called before an element is drawn anew: whoever had the keyboard in there, at what is gone afterwards, goes on at its
 * heading.
 */
export function keepKeyboard(root: ShadowRoot | null, heading: string): void {
  if (!root?.activeElement) return;
  // What is below is drawn after the element itself.
  setTimeout(() => {
    if (findFocused() === undefined) root.querySelector<HTMLElement>(heading)?.focus();
  });
}

/** Whether somebody types, or has a dialog before them: whatever else opens would take the keyboard from there. */
export function isKeyboardTaken(): boolean {
  const focused = findFocused();
  const isTyping = focused?.isContentEditable === true || focused?.matches("input, select, textarea") === true;
  return isTyping || hasModal(document);
}

function hasModal(root: ParentNode): boolean {
  return [...root.querySelectorAll("*")].some(
    (element) => element.matches(":modal") || (element.shadowRoot !== null && hasModal(element.shadowRoot)),
  );
}
