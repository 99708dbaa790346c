/** An uninstall shown before anybody agrees to it. */
import type { PairingStatus } from "../pairings.ts";

/** What an uninstall would do; nothing is changed. */
export interface UninstallPreview {
  readonly appId: string;
  /** Display name. */
  readonly name: string;
  /** As it would be asked for. */
  readonly keepData: boolean;
  /** Every directory the app's script declares below a location; none are known without a usable script. */
  readonly directories: readonly UninstalledDirectory[];
  /** Shares of its directories: they stay, whatever becomes of the data. */
  readonly shares: readonly LeftShare[];
  /** The host removes the volumes it keeps for the app itself; nobody can take a snapshot of those. */
  readonly removesVolumes: boolean;
  /** Answers and generated secrets: kept for a reinstall, or forgotten once none of the own directories is left. */
  readonly answers: "kept" | "forgotten" | "none";
  /** Connections that end: of the app, and of others to it. */
  readonly links: readonly PairingStatus[];
}

/** An SMB share, and whether what it leads to is still there after the uninstall. */
export interface LeftShare {
  readonly name: string;
  /** Host path. */
  readonly path: string;
  readonly leadsTo: "data" | "nothing";
}

/** A host path, and what becomes of it. */
export interface UninstalledDirectory {
  readonly path: string;
  readonly fate: "kept" | "removed";
  /** Why it is kept although data is to go; absent where data is kept anyway. */
  readonly reason?: string;
}
