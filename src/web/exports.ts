/** The names and types of `slipway/elements`, apart from what registers the elements: they need no package beside this one. */
export { ApiError, type TokenSource, useToken } from "./api/client.ts";
export type * from "./api/types.ts";
export type { SlipElements, SlipEventMap, SlipProperties } from "./ui/element-types.ts";
export { de } from "./ui/words/de.ts";
export { en } from "./ui/words/en.ts";
export { useWords, type Words } from "./ui/words.ts";
