/** What is wrong with an app's script, and who has to do something about it. */
import { html, nothing, type TemplateResult } from "lit";
import type { AppDetail, Form } from "../../api/types.ts";
import { type IconName, icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { renderBounded } from "./bounded-list.ts";
import type { PageParts } from "./page-parts.ts";

type AddressedProblem = AppDetail["problems"][number];
type Problem = Form["problems"][number] & Partial<Pick<AddressedProblem, "audience">>;

const ICONS: Readonly<Record<Problem["severity"], IconName>> = {
  error: "circle-x",
  warning: "triangle-alert",
  info: "info",
};
const SEVERITIES = ["error", "warning", "info"] as const;
const AUDIENCES = ["owner", "host", "author"] as const;

/** What a person can do something about first, then by how much it matters. Pure. */
export function sortProblems(problems: readonly AddressedProblem[]): readonly AddressedProblem[] {
  return problems.toSorted(
    (a, b) =>
      AUDIENCES.indexOf(a.audience) - AUDIENCES.indexOf(b.audience) ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
}

/** The card of them, folded where all are for the author; nothing where there are none. */
export function renderProblems(
  { app, words }: PageParts,
  shown: number,
  more: () => void,
): TemplateResult | typeof nothing {
  if (app.problems.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="problems">
    <details ?open=${app.problems.some(({ audience }) => audience !== "author")}>
      <summary><h2 id="problems">${words.appPage.problems}</h2></summary>
      ${renderBounded(words, {
        rows: sortProblems(app.problems),
        shown,
        more,
        render: (problem) => renderProblem(words, problem),
      })}
    </details>
  </section>`;
}

/** One problem as a row: its weight, its words, whose it is, and its code and place. */
export function renderProblem(
  words: Words,
  { audience, code, file, hint, line, message, severity }: Problem,
): TemplateResult {
  const { severities, audiences } = words.appPage;
  return html`<li class="problem ${severity}">
    ${icon(ICONS[severity])}
    <div>
      <p><strong>${severities[severity]}</strong> <bdi>${message}</bdi></p>
      ${hint === undefined || hint === "" ? nothing : html`<p class="small"><bdi>${hint}</bdi></p>`}
      <p class="muted small">
        ${audience === undefined ? nothing : html`${audiences[audience]} ·`} <code>${code}</code>
        ${file === undefined ? nothing : html`· <bdi>${words.appPage.place(file, line)}</bdi>`}
      </p>
    </div>
  </li>`;
}
