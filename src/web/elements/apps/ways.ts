/** Links from here to an app's page: addresses a browser can open anywhere, which the page around follows by itself. */
import type { SlipElement } from "../../ui/element.ts";
import type { AppDialog } from "../../ui/places.ts";
import { isPlainClick, pageAddress } from "./page-address.ts";

/**
 * The way to an app's page, or to a dialog on it. A plain click tells `slip-open-app {appId, dialog}`; whoever prevents it
 * has shown what it names, else the browser goes to the address.
 */
export function wayTo(
  from: Pick<SlipElement, "api" | "tell">,
  appId: string,
  dialog?: AppDialog,
): { readonly href: string; readonly open: (event: MouseEvent) => void } {
  return {
    href: pageAddress(from.api, "apps", appId, ...(dialog === undefined ? [] : [dialog])),
    open: (event) => {
      if (!isPlainClick(event)) return;
      if (!from.tell("slip-open-app", { appId, ...(dialog !== undefined && { dialog }) })) event.preventDefault();
    },
  };
}
