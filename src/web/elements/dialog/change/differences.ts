/** What an update or upgrade changes, before it is confirmed; secrets come masked from the engine. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Json, Preview } from "../../../api/types.ts";
import type { Words } from "../../../ui/words.ts";

type Changes = Pick<Preview, "differences" | "answerDifferences">;
type Difference = NonNullable<Preview["differences"]>[number];
type AnswerDifference = NonNullable<Preview["answerDifferences"]>[number];

/** A change in words; `code`: its place is one of a configuration, not a question. */
export interface Change {
  readonly place: string;
  readonly code: boolean;
  readonly kind: string;
  readonly before?: string;
  readonly after?: string;
}

/** Shows answers under their question, values under their place: the one before and the one after. */
export function renderDifferences(
  words: Words,
  changes: Changes,
  title = words.dialog.change.title,
): TemplateResult | typeof nothing {
  const { change } = words.dialog;
  const answers = (changes.answerDifferences ?? []).map((difference) => tellAnswer(words, difference));
  const values = (changes.differences ?? []).map((difference) => tellValue(words, difference));
  if (changes.answerDifferences === undefined && changes.differences === undefined) return nothing;
  return html`<section aria-labelledby="changes" aria-live="polite">
    <h3 id="changes">${title}</h3>
    ${
      answers.length + values.length === 0
        ? html`<p class="muted">${change.none}</p>`
        : html`<ul class="differences">
            ${[...answers, ...values].map(renderChange.bind(undefined, words))}
          </ul>`
    }
  </section>`;
}

/** The words of one answer that changes; of a password neither is known. */
export function tellAnswer(words: Words, { question, kind, before, after }: AnswerDifference): Change {
  const { change } = words.dialog;
  const isHidden = before === undefined && after === undefined && kind !== "removed";
  return {
    place: question,
    code: false,
    kind: { added: change.added, changed: change.changed, removed: change.removed }[kind],
    ...(before !== undefined && { before: writeValue(before) }),
    ...(isHidden ? { after: change.secret } : after !== undefined && { after: writeValue(after) }),
  };
}

/** The words of one value that changes: a secret is told as such, both of its masks look the same. */
export function tellValue(words: Words, { path, kind, before, after }: Difference): Change {
  const { change } = words.dialog;
  const common = { place: path.join(" › "), code: true };
  if (kind === "added") return { ...common, kind: change.added, after: writeValue(after) };
  if (before === undefined) return { ...common, kind: change.changed, after: writeValue(after) };
  if (writeValue(before) === writeValue(after)) return { ...common, kind: change.changed, after: change.secret };
  return { ...common, kind: change.changed, before: writeValue(before), after: writeValue(after) };
}

function renderChange(words: Words, { place, code, kind, before, after }: Change): TemplateResult {
  const { change } = words.dialog;
  const line = (name: string, value: string | undefined) =>
    value === undefined ? nothing : html`<p><span class="muted">${name}</span> <code>${value}</code></p>`;
  return html`<li>
    <p>${code ? html`<code>${place}</code>` : html`<strong>${place}</strong>`} <span class="badge">${kind}</span></p>
    ${line(change.before, before)} ${line(change.after, after)}
  </li>`;
}

/** A value as it is read: a text as it stands, all else as JSON. */
export function writeValue(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

/** Styles of it. */
export const differenceStyles = css`
  .differences {
    display: grid;
    gap: 8px;
  }
  .differences > li {
    display: grid;
    gap: 4px;
    padding: 10px 12px;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) - 2px);
  }
  .differences code {
    white-space: pre-wrap;
  }
  h3 {
    margin-bottom: 10px;
  }
`;
