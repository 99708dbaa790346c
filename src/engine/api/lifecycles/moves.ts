/** Apps that move from one box to another, as a file. */
import type { ExportedLink } from "../../move/export-file.ts";
import type { LeftOutApp } from "./upgrades.ts";

/** An export that was made. */
export interface Exported {
  /** The text of the file, to be written as it is: a changed one is refused. */
  readonly file: string;
  /** Ids of the apps in it. */
  readonly apps: readonly string[];
  /** How many links of apps are in it. */
  readonly links: number;
  /** Whether secrets are in it, sealed. */
  readonly sealed: boolean;
  /** Installed apps that are not in it. */
  readonly leftOut: readonly LeftOutApp[];
}

/** An app of an export, on the box it is imported to. */
export interface ImportedApp {
  readonly appId: string;
  /** Display name. */
  readonly name: string;
  /** It is installed; is here by other means and is adopted; or is one this engine looks after and stays as it is. */
  readonly how: "install" | "adopt" | "present";
  /** The versions it was set up with there, and is here; whether the files are the same, where that is known. */
  readonly script: { readonly exported: string; readonly here?: string; readonly isSame?: boolean };
  /** Keys of answers the script here does not ask for. */
  readonly unused: readonly string[];
  /** Of one that is adopted. */
  readonly adopted?: ImportedAdoption;
}

/** Keys of questions of an app that is adopted with an export beside it. */
export interface ImportedAdoption {
  /** Its configuration does not tell: answered by the export. */
  readonly fromExport: readonly string[];
  /** Its configuration has another answer than the export: it stays. */
  readonly other: readonly string[];
  /** Neither tells. */
  readonly unknown: readonly string[];
}

/** An app or, with `hookId`, a link of an export that can't be set up here. */
export interface LeftOutOfImport extends LeftOutApp {
  readonly hookId?: string;
  /** Keys of the questions whose answers are missing or do not fit: give others to the import. */
  readonly questions?: readonly string[];
}

/** What an import would do. */
export interface ImportPreview {
  /** ISO 8601 UTC: when the export was made. */
  readonly made: string;
  /** In the order they are set up. */
  readonly apps: readonly ImportedApp[];
  /** Links that are not connected here yet. */
  readonly links: readonly ExportedLink[];
  readonly leftOut: readonly LeftOutOfImport[];
  /** Ids of locations the old box has and this one lacks: answers below them stay as they are. */
  readonly missingLocations: readonly string[];
  /** Upgrade policies of the file: set at the end, `kept` as they are here, or none. */
  readonly policies: "set" | "kept" | "none";
}
