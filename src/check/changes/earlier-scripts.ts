/** Earlier versions of an app's script: users come from them to the newest one. */
import { basename } from "node:path";
import compareVersions from "semver/functions/compare.js";
import type { CommittedScripts } from "../../adapters/catalog/git/committed-scripts.ts";
import { parseDictionary } from "../../core/script/parse/parse-dictionary.ts";
import { admitsUpdate, isOlder } from "../../core/script/update-compatibility.ts";
import type { EarlierScript, PlayedApp } from "../subject.ts";

/** An earlier script an app can be installed by. */
export type UsableEarlier = EarlierScript & { readonly dictionary: PlayedApp["dictionary"] };

/** Earlier versions of one app that are played. */
const MOST_PLAYED = 5;

/** Reads an app's scripts of a commit. Their TypeScript is not: what was released is installed without its hooks. */
export async function readCommitted(
  committed: CommittedScripts,
  ref: string,
  appId: string,
): Promise<readonly EarlierScript[]> {
  return (await committed.read(appId)).map(({ file, text }) => ({
    name: `${basename(file)} at ${ref}`,
    text: text ?? "",
    dictionary: text === null ? null : parseDictionary({ appId, text }).dictionary,
  }));
}

/** The earlier scripts that are played, the newest first, and why others are not, in words. */
export function chooseEarlier({ text, dictionary, earlier }: PlayedApp): {
  readonly played: readonly UsableEarlier[];
  readonly left: readonly string[];
} {
  const others = [...new Map(earlier.map((one) => [one.text, one])).values()].filter((one) => one.text !== text);
  const usable = others.filter((one): one is UsableEarlier => one.dictionary !== null);
  const { script } = dictionary;
  // One the newest goes back from is played: that it is refused is what its author has to hear.
  const isWay = (version: string) => admitsUpdate(script, version) || isOlder(script, version);
  const versionOf = (one: UsableEarlier) => one.dictionary.script.version;
  // of too many those most users have: the newest
  const admitted = usable
    .filter((one) => isWay(versionOf(one)))
    .toSorted((a, b) => compareVersions(versionOf(b), versionOf(a)));
  return {
    played: admitted.slice(0, MOST_PLAYED),
    left: [
      ...others.flatMap((one) =>
        one.dictionary === null ? `${one.name}: it is ${one.text === "" ? "not read" : "refused"}` : [],
      ),
      ...usable.flatMap((one) =>
        admitted.includes(one) ? [] : `${nameVersion(one)}: script ${script.version} does not admit it`,
      ),
      ...admitted.slice(MOST_PLAYED).map((one) => `${nameVersion(one)}: only ${MOST_PLAYED} are played`),
    ],
  };
}

/** A version with its file, for people. */
export function nameVersion({ name, dictionary }: UsableEarlier): string {
  return `${dictionary.script.version} (${name})`;
}
