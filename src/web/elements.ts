/**
 * `slipway/elements`: importing this module registers every element. A page around them chooses their words and whom they
 * act for.
 */
import "./elements/app.ts";
import "./elements/dialog/change/options.ts";
import "./elements/dialog/change/upgrade.ts";
import "./elements/dialog/inputs/inputs.ts";
import "./elements/dialog/install/install.ts";
import "./elements/dialog/questions/questions.ts";
import "./elements/log.ts";
import "./elements/machine.ts";

export { ApiError, type TokenSource, useToken } from "./api/client.ts";
export type * from "./api/types.ts";
export { de } from "./ui/words/de.ts";
export { en } from "./ui/words/en.ts";
export { useWords, type Words } from "./ui/words.ts";
