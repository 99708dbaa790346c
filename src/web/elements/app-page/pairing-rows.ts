/** In which order the Pairings panel shows its rows, and how it says that a link stands. Pure. */
import type { AppDetail } from "../../api/types.ts";
import type { Words } from "../../ui/words.ts";
import type { Mark } from "../apps/describe-app.ts";

type PairingRow = AppDetail["pairings"][number];

const ORDER: readonly PairingRow["status"][] = ["connected", "installed", "not installed"];

/** The panel's rows: connected ones first, then those whose app is there, each by name. Pure. */
export function sortPairings(pairings: readonly PairingRow[]): readonly PairingRow[] {
  return pairings.toSorted(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.target.name.localeCompare(b.target.name),
  );
}

/** How a link stands, in one of its three ways. */
export function describeLink({ appPage, apps }: Words, status: PairingRow["status"]): Mark {
  if (status === "connected") return { icon: "link", tone: "good", word: appPage.connected };
  if (status === "installed") return { icon: "package", tone: "plain", word: apps.filters.installed };
  return { icon: "circle", tone: "plain", word: apps.states.absent };
}
