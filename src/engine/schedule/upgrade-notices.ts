/**
 * Tells people of the upgrades they want to hear of.
 *
 * Invariants:
 * 1. A version of an app is told once, whatever becomes of it.
 * 2. A notification counts as read once its upgrade is done, is gone, is another one, or nobody wants to hear of it.
 * 3. Between reading the policies and doing what they want, nothing is waited for.
 */
import { hasEnded } from "../../core/task-states.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { findOffers, type Offers } from "../methods/upgrade/find-offers.ts";
import type { Notification, UpgradeAvailable } from "../ports/environment.ts";
import { toIdPart } from "../runtime/id-part.ts";
import { viewNotification } from "../runtime/notifications.ts";
import { runOneAtATime } from "../system/one-at-a-time.ts";
import { readPolicies, wantsNotice } from "./policies.ts";
import { keepTold, readTold } from "./told-versions.ts";

/** Ms between two looks: the host has new versions of its catalog a few times a day. */
const EVERY_MS = 3_600_000;
/** As many notifications as are kept. */
const ALL = 1_000;

export interface NoticeDeps extends MethodDeps {
  /** Tells the embedder; it is not waited for. */
  readonly onNotification: (notification: Notification) => void;
}

/** Looks every hour and after a task what can be upgraded; the host is asked only where a policy wants it. */
export class UpgradeNotices {
  readonly #deps: NoticeDeps;
  readonly #closing = new AbortController();
  readonly #lookAnew = runOneAtATime(() => this.#lookOnce());
  #cancel = (): void => {};

  constructor(deps: NoticeDeps) {
    this.#deps = deps;
  }

  /** Begins to look. */
  start(): void {
    this.look();
    void this.#followTasks();
  }

  /** Looks now, or once the look under way has ended; and every hour from then on. */
  look(): void {
    if (this.#closing.signal.aborted) return;
    this.#cancel();
    this.#cancel = this.#deps.clock.after(EVERY_MS, () => this.look());
    // A host that is away is looked at as it returns.
    void this.#lookAnew().catch((error: unknown) =>
      this.#deps.logger.debug({ error }, "it could not be looked for upgrades to tell of"),
    );
  }

  close(): void {
    this.#closing.abort();
    this.#cancel();
  }

  async #followTasks(): Promise<void> {
    const { runtime, store, logger } = this.#deps;
    try {
      for await (const { task } of runtime.watch(store.lastSeq(), this.#closing.signal)) {
        if (task.kind !== "hook" && task.kind !== "link" && hasEnded(task.state)) this.look();
      }
    } catch (error) {
      logger.debug({ error }, "the changes of tasks could not be followed");
    }
  }

  async #lookOnce(): Promise<void> {
    const { store } = this.#deps;
    this.#withdraw(({ appId }) => wantsNotice(readPolicies(store), appId));
    if (!wantsNotice(readPolicies(store))) return;
    const offers = await findOffers(this.#deps, (appId) => wantsNotice(readPolicies(store), appId));
    if (this.#closing.signal.aborted) return;
    const policies = readPolicies(store);
    this.#withdraw(({ appId, to }) => wantsNotice(policies, appId) && isOffered(offers, appId, to));
    for (const [appId, offer] of offers) {
      if (offer !== "none" && offer !== "unknown" && wantsNotice(policies, appId)) this.#tell({ appId, ...offer });
    }
  }

  #withdraw(isTrue: (told: UpgradeAvailable) => boolean): void {
    const { store, clock, hints } = this.#deps;
    for (const row of store.notifications({ unread: true, limit: ALL })) {
      const told = viewNotification(row);
      if (told.type !== "upgrade.available" || isTrue(told)) continue;
      if (store.readNotifications(row.id, clock.now()) > 0) hints.tell({ type: "notification.read", id: row.id });
    }
  }

  /** A kill before it is noted tells the embedder again, with the same id. */
  #tell(offer: Pick<UpgradeAvailable, "appId" | "from" | "to">): void {
    const { store, clock, hints, onNotification } = this.#deps;
    const { appId, to } = offer;
    if (readTold(store, appId).includes(to)) return;
    const id = `upgrade.${appId}.${toIdPart(to)}`;
    const row = { type: "upgrade.available", ...offer, id, at: clock.now(), readAt: null } as const;
    if (store.keepNotification(row)) hints.tell({ type: "notification.added", id });
    onNotification(viewNotification(row));
    keepTold(store, appId, to);
  }
}

function isOffered(offers: Offers, appId: string, to: string): boolean {
  const offer = offers.get(appId) ?? "none";
  return offer === "unknown" || (offer !== "none" && offer.to === to);
}
