/** The part of a checkout's configuration the content of a commit could take advantage of. */
interface GitConfiguration {
  /** Why a pull with it is refused; null where it is not. */
  readonly refusal: string | null;
  /** Settings that switch off every program an attribute (`.gitattributes` of a commit) can call by name. */
  readonly attributesOff: readonly string[];
}

/** Settings whose value is a program that attributes choose by the name in the middle. */
const CALLED_BY_ATTRIBUTE =
  /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|merge\..+\.driver)$/i;
/** A filter that must succeed would refuse the file it does nothing to. */
const REQUIRED_FILTER = /^filter\..+\.required$/i;

function explainRefusal(name: string): string | null {
  const refused = `the checkout's configuration has "${name}"`;
  if (/^include(?:if)?\./i.test(name)) return `${refused}: the included file may be one of a commit`;
  // the command line parts name and value there
  const isOpen = name.includes("=") && (CALLED_BY_ATTRIBUTE.test(name) || REQUIRED_FILTER.test(name));
  return isOpen ? `${refused}: a program with "=" in its name can't be switched off` : null;
}

/** Reads the output of `git config --null --name-only --list`. */
export function readConfiguration(listed: string): GitConfiguration {
  const names = [...new Set(listed.split("\0"))];
  return {
    refusal: names.map(explainRefusal).find((refusal) => refusal !== null) ?? null,
    attributesOff: names.flatMap((name) => {
      if (CALLED_BY_ATTRIBUTE.test(name)) return [`${name}=`];
      return REQUIRED_FILTER.test(name) ? [`${name}=false`] : [];
    }),
  };
}
