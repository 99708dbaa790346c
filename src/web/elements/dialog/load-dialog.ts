/** The dialogs are loaded when one is first opened: nobody needs them to see what runs. */
const LOADERS = {
  "slip-install": () => import("./install/install.ts"),
  "slip-options": () => import("./change/options.ts"),
  "slip-upgrade": () => import("./change/upgrade.ts"),
  "slip-inputs": () => import("./inputs/inputs.ts"),
};

/** An element that opens as a dialog when it is connected, and tells `slip-closed` when it is to be taken away. */
export type DialogName = keyof typeof LOADERS;

/** Loads the element of a dialog; rejects where its file can't be loaded. */
export async function loadDialog(name: DialogName): Promise<void> {
  await LOADERS[name]();
}
