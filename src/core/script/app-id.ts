/**
 * Ids of apps: base names of scripts, keys of requests, segments of paths and of claims. What the host takes as the name of
 * an app, no more.
 */
export const APP_ID = /^(?=.{1,40}$)[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/** The same for people, for the end of a sentence. */
export const APP_ID_WORDS = "lowercase letters, digits and -, at most 40 characters, a letter first and no - last";
