/** What screen readers are told beside what is shown: in one polite live region of the document, whichever element speaks. */

/** In its document before the first word: one that comes with its text is not read by all. */
const region = document.createElement("div");
region.role = "status";
region.style.cssText = "position:fixed;clip-path:inset(50%)";
// A script in the head of a page may run before there is a body.
(document.body ?? document.documentElement).append(region);

/** What is to be said, as far as it was not yet. */
const texts: string[] = [];

/** Has screen readers say a text once they have nothing else to say; texts of one moment are said together. */
export function say(text: string): void {
  // A page may have put something else in the place of its whole body.
  if (!region.isConnected) document.body.append(region);
  if (texts.push(text) > 1) return;
  // What is said in the place of another text is said alone.
  setTimeout(() => {
    region.textContent = texts.splice(0).join(". ");
  });
}
