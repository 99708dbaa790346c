import { UpgradeScheduler } from "./scheduler.ts";
import { type NoticeDeps, UpgradeNotices } from "./upgrade-notices.ts";

/** What the policies have an engine do by itself; nothing before `start`. */
export class UnattendedUpgrades {
  readonly #scheduler: UpgradeScheduler;
  readonly #notices: UpgradeNotices;
  #isStarted = false;

  constructor(deps: NoticeDeps) {
    this.#scheduler = new UpgradeScheduler(deps);
    this.#notices = new UpgradeNotices(deps);
  }

  start(): void {
    this.#isStarted = true;
    this.#scheduler.look();
    this.#notices.start();
  }

  /** Looks anew at once: a policy is another one, or the host is back. */
  look(): void {
    if (!this.#isStarted) return;
    this.#scheduler.look();
    this.#notices.look();
  }

  close(): void {
    this.#scheduler.close();
    this.#notices.close();
  }
}
