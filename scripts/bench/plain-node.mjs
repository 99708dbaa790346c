// The baseline of bench:sandbox, forked: plain Node up to its first line, without types to strip.
process.send?.("started");
process.disconnect?.();
