/** Enter in a one-line field of a dialog presses its main button, as in a form. */
export function pressOnEnter(event: KeyboardEvent): void {
  const [from] = event.composedPath();
  if (event.key !== "Enter" || event.isComposing || !(from instanceof HTMLInputElement) || from.type === "checkbox")
    return;
  const { currentTarget: dialog } = event;
  if (!(dialog instanceof HTMLElement)) return;
  event.preventDefault();
  dialog.querySelector<HTMLButtonElement>("button.primary:not(:disabled)")?.click();
}
