/** What TypeScript knows of the elements of `slipway/elements`: their properties by tag, and their events. Types alone. */
import type { Task } from "../api/types.ts";
import type { SlipEvents } from "./events.ts";
import type { AppDialog } from "./places.ts";

interface Common {
  /** Address of the interface, with its `/api`. */
  api: string;
}
interface OfApp extends Common {
  /** Id of an app. */
  app: string;
}
interface OfTask extends Common {
  /** Id of a task. */
  task: string;
}
interface Decided extends Common {
  task: Task | undefined;
}

/** Properties of the elements by tag; all have defaults but those they are about. */
export interface SlipProperties {
  "slip-activity": OfApp & { /** Id of the task that is marked. */ selected: string };
  "slip-activity-row": Decided & { isSelected: boolean };
  "slip-adopt": OfApp;
  "slip-app": Common & { /** Path of the whole page, with a slash at its end. */ base: string };
  "slip-app-icon": OfApp & { name: string };
  "slip-app-page": OfApp & { /** The dialog that is open on it; empty: none. */ dialog: AppDialog | "" };
  "slip-audit": OfApp;
  "slip-catalog": Common;
  "slip-dashboard": Common;
  "slip-decisions": Decided & { /** Commands that are offered; all by default. */ only: Task["commands"] | undefined };
  "slip-drift": OfApp;
  "slip-files": Common & { /** Host path of a folder; empty: the locations. */ path: string };
  "slip-health": Common;
  "slip-home": Common;
  "slip-inputs": OfTask;
  "slip-install": OfApp & { /** `custom` asks everything on one screen. */ mode: "custom" | undefined };
  "slip-log": OfTask & { /** Whether its script may still write. */ live: boolean };
  "slip-login": Common;
  "slip-machine": OfTask & { /** Whether it comes into the window once it shows something. */ reveal: boolean };
  "slip-notifications": Common;
  "slip-options": OfApp;
  "slip-rollback": OfApp;
  "slip-task": OfTask & {
    /** Whether the lines its scripts wrote are shown: they are for developers. */ logs: boolean;
  };
  "slip-uninstall": OfApp;
  "slip-upgrade": OfApp;
  "slip-upgrade-policy": OfApp;
  "slip-upgrades": Common;
  "slip-widget": OfApp & {
    widget: string;
    size: "small" | "large";
    /** Of the app, to be shown. */
    name: string;
    /** Title until it is known. */
    label: string;
    /** Why it is there no more. */
    gone: string | undefined;
    /** Reads it now. */
    refresh(): void;
  };
}

/** Elements by tag. */
export type SlipElements = { [Tag in keyof SlipProperties]: HTMLElement & SlipProperties[Tag] };

/** Events by name. */
export type SlipEventMap = { [Name in keyof SlipEvents]: CustomEvent<SlipEvents[Name]> };

declare global {
  interface HTMLElementTagNameMap extends SlipElements {}
  interface GlobalEventHandlersEventMap extends SlipEventMap {}
}
