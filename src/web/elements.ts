/**
 * `slipway/elements`: importing this module registers every element; what is large comes when it is first shown. A page
 * around them chooses their words and whom they act for.
 */
import "./first-load.ts";
import { defineLazy } from "./ui/lazy-element.ts";

defineLazy("slip-adopt", ["app"], async () => (await import("./elements/dialog/confirm/adopt.ts")).SlipAdopt);
defineLazy("slip-audit", ["app"], async () => (await import("./elements/audit.ts")).SlipAudit);
defineLazy("slip-drift", ["app"], async () => (await import("./elements/drift.ts")).SlipDrift);
defineLazy("slip-health", [], async () => (await import("./elements/health.ts")).SlipHealth);
defineLazy("slip-inputs", ["task"], async () => (await import("./elements/dialog/inputs/inputs.ts")).SlipInputs);
defineLazy(
  "slip-install",
  ["app", "mode"],
  async () => (await import("./elements/dialog/install/install.ts")).SlipInstall,
);
defineLazy("slip-notifications", [], async () => (await import("./elements/notifications.ts")).SlipNotifications);
defineLazy("slip-options", ["app"], async () => (await import("./elements/dialog/change/options.ts")).SlipOptions);
defineLazy("slip-rollback", ["app"], async () => (await import("./elements/dialog/confirm/rollback.ts")).SlipRollback);
defineLazy("slip-task", ["task"], async () => (await import("./elements/task.ts")).SlipTask);
defineLazy(
  "slip-uninstall",
  ["app"],
  async () => (await import("./elements/dialog/confirm/uninstall.ts")).SlipUninstall,
);
defineLazy("slip-upgrade", ["app"], async () => (await import("./elements/dialog/change/upgrade.ts")).SlipUpgrade);
defineLazy(
  "slip-upgrade-policy",
  ["app"],
  async () => (await import("./elements/upgrades/upgrade-policy.ts")).SlipUpgradePolicy,
);
defineLazy("slip-upgrades", [], async () => (await import("./elements/upgrades/upgrades.ts")).SlipUpgrades);

export * from "./exports.ts";
