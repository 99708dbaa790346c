/** One stream of events for all tabs of a browser. */
export {};
