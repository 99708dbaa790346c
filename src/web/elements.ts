/**
 * `slipway/elements`: importing this module registers every element. A page around them chooses their words and whom they
 * act for.
 */
import "./elements/activity-row.ts";
import "./elements/activity.ts";
import "./elements/app.ts";
import "./elements/app-icon.ts";
import "./elements/app-page.ts";
import "./elements/catalog.ts";
import "./elements/dashboard.ts";
import "./elements/decisions.ts";
import "./elements/dialog/change/options.ts";
import "./elements/dialog/change/upgrade.ts";
import "./elements/dialog/inputs/inputs.ts";
import "./elements/dialog/install/install.ts";
import "./elements/dialog/questions/questions.ts";
import "./elements/files.ts";
import "./elements/health.ts";
import "./elements/home.ts";
import "./elements/log.ts";
import "./elements/login.ts";
import "./elements/machine.ts";
import "./elements/notifications.ts";
import "./elements/task.ts";
import "./elements/widget.ts";

export { ApiError, type TokenSource, useToken } from "./api/client.ts";
export type * from "./api/types.ts";
export { de } from "./ui/words/de.ts";
export { en } from "./ui/words/en.ts";
export { useWords, type Words } from "./ui/words.ts";
