/** What an app's script requires of the host, and what of it is there. */
import { html, nothing, type TemplateResult } from "lit";
import type { AppDetail } from "../../api/types.ts";
import type { Words } from "../../ui/words.ts";
import type { Mark } from "../apps/describe-app.ts";
import { renderMark } from "../apps/render-marks.ts";
import type { PageParts } from "./page-parts.ts";

type Requirements = NonNullable<AppDetail["requirements"]>;

/** A line of it; `met` is null where the host does not tell. */
export interface Requirement {
  readonly text: string;
  readonly met: boolean | null;
  /** What is there in its place. */
  readonly note?: string;
}

/** What is missing first: locations, without which nothing is installed, then what is told but never enforced. Pure. */
export function listRequirements({ appPage }: Words, { locations, advisory }: Requirements): readonly Requirement[] {
  const { requires } = appPage;
  const rows: readonly Requirement[] = [
    ...locations.unmet.map((location) => ({ text: requires.location(location), met: false })),
    ...locations.met.map((location) => ({ text: requires.location(location), met: true })),
    ...advisory.map(({ kind, required, met, found, proposal }) => ({
      text: requires[kind](String(required)),
      met,
      ...(met === false && { note: proposal === undefined ? requires.found(found) : requires.free(String(proposal)) }),
    })),
  ];
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ met }: Requirement): number {
  return met === false ? 0 : met === null ? 1 : 2;
}

/** The card of them; nothing where there are none, or they are not known. */
export function renderRequirements({ app, words }: PageParts): TemplateResult | typeof nothing {
  if (app.requirements === undefined) return nothing;
  const rows = listRequirements(words, app.requirements);
  if (rows.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="requirements">
    <h2 id="requirements">${words.appPage.requirements}</h2>
    <ul class="rows">
      ${rows.map(
        (row) => html`<li>
          <div>
            <p><bdi>${row.text}</bdi></p>
            ${row.note === undefined ? nothing : html`<p class="muted small"><bdi>${row.note}</bdi></p>`}
          </div>
          ${renderMark(describeMet(words, row.met))}
        </li>`,
      )}
    </ul>
  </section>`;
}

function describeMet({ appPage: { requires } }: Words, met: boolean | null): Mark {
  if (met === null) return { icon: "circle-help", tone: "plain", word: requires.untold };
  return met ? { icon: "check", tone: "good", word: requires.met } : { icon: "x", tone: "bad", word: requires.unmet };
}
