/** Fields of a widget's result: whatever a script wrote is text, and pictures are `data:` alone. */
import { html, nothing, type TemplateResult } from "lit";
import type { WidgetField } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { formatElapsed, isOwnPicture } from "./lay-out.ts";

type Entry = Extract<WidgetField, { type: "list" }>["entries"][number];
type Elapsed = NonNullable<Entry["elapsed"]>;

/** Renders one field at its slot. */
export function renderField(words: Words, field: WidgetField): TemplateResult | typeof nothing {
  switch (field.type) {
    case "text":
      return html`<p class="text">${field.text}</p>`;
    case "stat":
      return html`<dl class="stat">
        <dt class="muted">${field.label}</dt>
        <dd>${typeof field.value === "number" ? words.widget.number(field.value) : field.value}</dd>
      </dl>`;
    case "list":
      return html`<ul class="list">
        ${field.entries.map((entry) => renderEntry(words, entry))}
      </ul>`;
    case "image":
      return isOwnPicture(field.image)
        ? html`<img class="image" src=${field.image} alt=${field.alt ?? ""} />`
        : nothing;
  }
}

function renderEntry(words: Words, { title, subtitle, meta, image, elapsed }: Entry): TemplateResult {
  return html`<li>
    ${image !== undefined && isOwnPicture(image) ? html`<img src=${image} alt="" />` : nothing}
    <div>
      <p class="entry">${title}</p>
      ${subtitle === undefined ? nothing : html`<p class="muted">${subtitle}</p>`}
      ${elapsed === undefined ? nothing : renderElapsed(words, elapsed)}
    </div>
    ${meta === undefined ? nothing : html`<p class="meta muted">${meta}</p>`}
  </li>`;
}

function renderElapsed({ widget }: Words, { ms, ofMs, state }: Elapsed): TemplateResult {
  const said = widget.elapsed(formatElapsed(ms), ofMs === undefined ? undefined : formatElapsed(ofMs));
  return html`<p class="elapsed muted">
      ${state === undefined ? nothing : html`${icon(state === "running" ? "play" : "pause")} ${widget[state]}, `}${said}
    </p>
    ${
      ofMs === undefined || ofMs <= 0
        ? nothing
        : html`<progress max=${ofMs} .value=${Math.min(Math.max(ms, 0), ofMs)} aria-label=${said}></progress>`
    }`;
}
