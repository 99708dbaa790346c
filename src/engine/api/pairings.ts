/** The pairings of an app, as docs/decisions.md, section 7, has them, and how each stands. */

import type { Hook } from "../../core/script/dictionary.ts";

/** docs/decisions.md, section 7. */
export interface PairingsBody {
  readonly appId: string;
  readonly pairings: readonly PairingRecord[];
}

export interface PairingRecord {
  readonly targets: readonly PairingTarget[];
  readonly runsOnAppId: string;
  readonly hookId: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
}

export interface PairingTarget {
  readonly appId: string;
  readonly name: string;
  readonly icon: string;
}

export interface PairingStatus {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly title: string;
  readonly target: PairingTarget;
  readonly status: "connected" | "installed" | "not installed";
  /** They were connected before one of them was installed anew, or taken back: the link has to be made again. */
  readonly connectAgain?: true;
}
