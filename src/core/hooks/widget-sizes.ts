import type { Widget } from "../script/dictionary.ts";
import { WIDGET_SIZES } from "../script/script-words.ts";

/** A size a widget is shown in. */
export type WidgetSizeName = (typeof WIDGET_SIZES)[number];

/** The sizes a widget is made for, small first: those it declares, both where it declares none (docs/choices.md, "Widgets"). */
export function listWidgetSizes({ sizes }: Pick<Widget, "sizes">): readonly WidgetSizeName[] {
  return sizes === undefined ? WIDGET_SIZES : WIDGET_SIZES.filter((size) => sizes[size] !== undefined);
}

/** A wanted size where the widget is made for it, else the first it is made for. */
export function fitWidgetSize(widget: Pick<Widget, "sizes">, wanted?: WidgetSizeName): WidgetSizeName {
  const sizes = listWidgetSizes(widget);
  if (wanted !== undefined && sizes.includes(wanted)) return wanted;
  return sizes[0] ?? WIDGET_SIZES[0];
}
