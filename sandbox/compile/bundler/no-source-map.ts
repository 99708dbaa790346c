/**
 * Stands behind an author's text that esbuild reads. esbuild takes positions from the source map the last comment of this
 * kind names, in a bundle by opening any path: this one is the last, and its URL has no scheme esbuild knows.
 */
export const NO_SOURCE_MAP = "\n//# sourceMappingURL=none:";
