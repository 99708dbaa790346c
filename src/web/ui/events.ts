/** What elements tell the page around, by name: the details of their events. Types alone. */
import type { Task } from "../api/types.ts";
import type { AppDialog } from "./places.ts";

/** Each bubbles through shadow roots and can be cancelled. */
export interface SlipEvents {
  /** A person wants to answer what a task asks; cancelled, the element does not open the dialog itself. */
  readonly "slip-answer-task": { readonly taskId: string };
  /** What a task asked was answered. */
  readonly "slip-answered": { readonly taskId: string };
  /** A dialog was closed. */
  readonly "slip-closed": Readonly<Record<never, never>>;
  /** Something was decided about a task, and the engine has taken it. */
  readonly "slip-decided": { readonly taskId: string; readonly command: Task["commands"][number] };
  /** The token was right. */
  readonly "slip-logged-in": Readonly<Record<never, never>>;
  /** A person wants to see an app, or one of its dialogs. */
  readonly "slip-open-app": { readonly appId: string; readonly dialog?: AppDialog };
  /** A person wants to see a folder, by its host path; cancelled, the element does not open it itself. */
  readonly "slip-open-folder": { readonly path: string };
  /** A person wants to see a task. */
  readonly "slip-open-task": { readonly taskId: string };
  /** A person wants to see the upgrades of all apps. */
  readonly "slip-open-upgrades": Readonly<Record<never, never>>;
  /** A task was started. */
  readonly "slip-started": { readonly taskId: string; readonly task: Task };
}

/** What parts of an element tell one another; its own listeners say what comes with it. */
export type InnerEvent = "slip-answer" | "slip-choices" | "slip-show-answer";
