/** A page as a screen reader has it: Chromium's own tree of what is there, by role and name. */
import type { Page } from "playwright-core";

interface Heard {
  readonly role: string;
  readonly name: string;
  readonly level: number | undefined;
  readonly live: string | undefined;
}

const CONTROLS = [
  ...[
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "combobox",
    "slider",
    "tab",
    "spinbutton",
    "radio",
    "switch",
  ],
  ...["dialog", "navigation", "region", "progressbar", "img", "tabpanel", "tablist", "article"],
];

/** Everything a screen reader comes past, in its order. */
export async function hearPage(page: Page): Promise<readonly Heard[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.flatMap(({ ignored, role, name, properties = [] }) => {
    const read = (wanted: string) => properties.find((property) => property.name === wanted)?.value.value;
    if (ignored) return [];
    return [{ role: String(role?.value), name: String(name?.value ?? ""), level: read("level"), live: read("live") }];
  });
}

/** Controls and places without a name, headings out of their order, and more than one place that speaks. */
export function listUnheard(heard: readonly Heard[]): readonly string[] {
  const nameless = heard.filter(({ role, name }) => CONTROLS.includes(role) && name.trim() === "");
  const levels = heard.flatMap(({ role, level }) => (role === "heading" && level !== undefined ? [level] : []));
  const isDialog = heard.some(({ role }) => role === "dialog");
  const [first] = levels;
  const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? level) + 1);
  const voices = heard.filter(({ live }) => live === "polite");
  return [
    ...nameless.map(({ role }) => `a ${role} without a name`),
    ...(first === (isDialog ? 2 : 1) ? [] : [`the first heading is of level ${first}`]),
    ...jumps.map((level) => `a heading of level ${level} below none of ${level - 1}: ${levels.join(" ")}`),
    ...(isDialog || voices.length === 1 ? [] : [`${voices.length} live regions`]),
  ];
}
