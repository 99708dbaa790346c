/** `slipway/contract`: the suites every implementation of a port runs. */

export { describeHost } from "./host/core.ts";
export { describeHostOwners, type KnownAccounts } from "./host/owners.ts";
export { describeHostQuestions } from "./host/questions.ts";
export { describeHostShares } from "./host/shares.ts";
export { describeHostClones, describeHostDatasets, describeHostSnapshots } from "./host/storage.ts";
export type { HostUnderTest, HostWith, OfferedApp } from "./host/under-test.ts";
export { describeHostUpgrades, describeHostVersions } from "./host/versions.ts";
export { describeStore, type StoreUnderTest } from "./store.ts";
export type { Expect, Matchers, TestHooks } from "./test-hooks.ts";
