/** What the pages of the three frameworks have in common. */

/** Where the appliance has put the interface. */
export const API = "/slipway/api";

export const WIDGET = { app: "demo-media", widget: "library", size: "small" } as const;
