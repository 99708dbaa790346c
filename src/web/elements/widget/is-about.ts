/** Which hints of the engine are about a widget. Pure. */
import type { Hint } from "../../api/types.ts";

/** Whether a widget is worth reading anew. */
export function isAbout(hint: Hint, app: string, widget: string): boolean {
  switch (hint.type) {
    case "hints.lost":
    // Whichever app it is: a widget's conditions name others.
    case "app.changed":
      return true;
    case "widget.changed":
      return hint.appId === app && hint.widgetId === widget;
    case "catalog.changed":
      return !hint.whole || [...hint.added, ...hint.changed, ...hint.removed].includes(app);
    default:
      return false;
  }
}
