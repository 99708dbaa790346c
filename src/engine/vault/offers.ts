/**
 * Random strings a form has shown: the next install, upgrade or update of the app uses the same ones, so that a password a
 * person has copied from the form is the app's. Kept in the settings of the app, across restarts.
 */
import { isJsonObject } from "../../core/json/json.ts";
import type { MethodDeps } from "../methods/deps.ts";

/** Ms an offer holds at least after it was shown. */
const HOLDS_MS = 60 * 60_000;

type OfferDeps = Pick<MethodDeps, "store" | "clock">;
type Randoms = Readonly<Record<string, string>>;

/** The random strings last shown for an app, by their place in its script; none where they are too old. */
export function readOfferedRandoms(deps: OfferDeps, appId: string): Randoms {
  const offer = readOffer(deps, appId);
  return offer === null || offer.age > 2 * HOLDS_MS ? {} : offer.randoms;
}

/** Notes what a form shows now. Written anew only where something is new, or soon too old. */
export function keepOffer(deps: OfferDeps, appId: string, randoms: Randoms): void {
  const known = readOffer(deps, appId);
  const same = Object.entries(randoms).every(([place, text]) => known?.randoms[place] === text);
  if (same && (known === null || known.age < HOLDS_MS)) return;
  deps.store.keepSettings(appId, { offer: { at: deps.clock.now(), randoms } });
}

/** Forgets what was shown for apps that have used it. */
export function dropOffers(deps: OfferDeps, appIds: readonly string[]): void {
  for (const appId of appIds) {
    if (readOffer(deps, appId) !== null) deps.store.keepSettings(appId, { offer: null });
  }
}

function readOffer({ store, clock }: OfferDeps, appId: string) {
  const offer = store.setting(appId, "offer");
  if (!isJsonObject(offer) || typeof offer["at"] !== "number") return null;
  const { at, randoms } = offer;
  const texts = isJsonObject(randoms ?? null) ? Object.entries(randoms ?? {}) : [];
  return {
    // A clock that was set back makes an offer no younger than it is.
    age: Math.abs(clock.now() - at),
    randoms: Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  };
}
