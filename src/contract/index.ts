/** `slipway/contract`: the suites every implementation of a port runs. */

export { describeHost, type HostUnderTest } from "./host.ts";
export { describeStore, type StoreUnderTest } from "./store.ts";
export type { Expect, Matchers, TestHooks } from "./test-hooks.ts";
