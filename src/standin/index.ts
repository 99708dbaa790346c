/** `slipway/standin`: the embedded host, for tests and development. */

export type { StandinOptions } from "./settings.ts";
export { createStandinHost, type StandinHost } from "./standin.ts";
