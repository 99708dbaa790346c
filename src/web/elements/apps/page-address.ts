/** Addresses of the page, which stands beside the interface it calls. */
import { pathOf } from "../../api/client.ts";

/** The page's address of what the segments name, e.g. `/slipway/apps/demo-notes` where the interface is at `/slipway/api`. */
export function pageAddress(api: string, ...segments: readonly string[]): string {
  return `${api.replace(/\/api\/?$/, "")}${pathOf(...segments)}`;
}

/** Whether a click is for this tab: with a key or another button a browser opens a link elsewhere. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
}
