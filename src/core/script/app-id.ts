/** Ids of apps: base names of scripts, keys of requests, segments of paths and of claims. */
export const APP_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
