/** What of a checkout's configuration the content of a commit could take advantage of. */
interface GitConfiguration {
  /** A setting that includes another file, which may be one of a commit; null where there is none. */
  readonly include: string | null;
  /** Settings that switch off every program an attribute (`.gitattributes` of a commit) can call by name. */
  readonly attributesOff: readonly string[];
}

/** Settings whose value is a program that attributes choose by the name in the middle. */
const CALLED_BY_ATTRIBUTE =
  /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|merge\..+\.driver)$/i;
/** A filter that must succeed would refuse the file it does nothing to. */
const REQUIRED_FILTER = /^filter\..+\.required$/i;

/** Reads the output of `git config --null --name-only --list`. */
export function readConfiguration(listed: string): GitConfiguration {
  const names = [...new Set(listed.split("\0"))];
  return {
    include: names.find((name) => /^include(?:if)?\./i.test(name)) ?? null,
    attributesOff: names.flatMap((name) => {
      if (CALLED_BY_ATTRIBUTE.test(name)) return [`${name}=`];
      return REQUIRED_FILTER.test(name) ? [`${name}=false`] : [];
    }),
  };
}
