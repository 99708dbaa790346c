import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildPairingIndex,
  listDeclaredPairings,
  listPairings,
  replaceInPairingIndex,
} from "../../src/core/hooks/pairings.ts";
import type { Dictionary } from "../../src/core/script/dictionary.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { dictionaryOf, on, rawHook } from "../support/scripts/scripts.ts";

const IDS = ["plex", "radarr", "sonarr", "lidarr", "tautulli"];
const appId = fc.constantFrom(...IDS);
const hooks = fc.array(
  fc.record({
    targets: fc.uniqueArray(appId, { maxLength: 3 }),
    surfaces: fc.option(fc.subarray(["installPicker", "card", "widget"]), { nil: undefined }),
  }),
  { maxLength: 3 },
);
const catalog = fc
  .uniqueArray(fc.tuple(appId, hooks), { selector: ([id]) => id, minLength: 1, maxLength: IDS.length })
  .map((apps) => apps.map(([id, declared]) => scriptOf(id, declared)));

function scriptOf(id: string, declared: { targets: string[]; surfaces: string[] | undefined }[]): Dictionary {
  return dictionaryOf(id, {
    hooks: declared.map(({ targets, surfaces }, at) =>
      rawHook({
        id: `hook-${at}`,
        conditions: targets.map((target) => on(target)),
        ...(surfaces !== undefined && { surfaces }),
      }),
    ),
  });
}

const seen = (index: ReturnType<typeof buildPairingIndex>) => IDS.map((id) => listPairings(index, id));

describe("pairing index", () => {
  it("shows every outgoing pairing of A with B as an incoming one of B, and no other", () => {
    fc.assert(
      fc.property(catalog, (dictionaries) => {
        const index = buildPairingIndex(dictionaries);
        const outgoing = IDS.flatMap((id) =>
          listPairings(index, id)
            .filter(({ direction }) => direction === "outgoing")
            .flatMap(({ pairing, targets }) =>
              targets.map((target) => `${pairing.appId}/${pairing.hook.id}>${target}`),
            ),
        );
        const incoming = IDS.flatMap((id) =>
          listPairings(index, id)
            .filter(({ direction }) => direction === "incoming")
            .map(({ pairing }) => `${pairing.appId}/${pairing.hook.id}>${id}`),
        );
        expect(incoming.sort()).toEqual(outgoing.sort());
      }),
    );
  });

  it("does not depend on the order of the files", () => {
    fc.assert(
      fc.property(catalog, fc.infiniteStream(fc.nat()), (dictionaries, keys) => {
        const shuffled = dictionaries
          .map((dictionary) => ({ dictionary, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ dictionary }) => dictionary);
        expect(seen(buildPairingIndex(shuffled))).toEqual(seen(buildPairingIndex(dictionaries)));
      }),
    );
  });

  it("gives the same after any replacements as after building anew", () => {
    fc.assert(
      fc.property(catalog, catalog, (before, after) => {
        let index = buildPairingIndex(before);
        for (const id of IDS) {
          index = replaceInPairingIndex(index, id, after.find((dictionary) => dictionary.appId === id) ?? null);
        }
        expect(seen(index)).toEqual(seen(buildPairingIndex(after)));
      }),
    );
  });

  it("removing an unparseable file changes no other record, whatever is wrong with the file", async () => {
    const fault = fc.oneof(
      fc.string(),
      fc.constantFrom("{", "[]", "null", '{"version": 99}', '{"version": 6, "hooks": {}}'),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(catalog, fault, appId, async (dictionaries, text, broken) => {
        const sound = dictionaries.filter((dictionary) => dictionary.appId !== broken);
        const { dictionary } = parseDictionary({ appId: broken, text });
        expect(dictionary === null || listDeclaredPairings(dictionary).length === 0).toBe(true);
        const withFault = buildPairingIndex([...sound, ...(dictionary === null ? [] : [dictionary])]);
        expect(seen(withFault)).toEqual(seen(buildPairingIndex(sound)));
      }),
    );
  });

  it("changes no record of other apps when one app goes", () => {
    fc.assert(
      fc.property(catalog, (dictionaries) => {
        const [gone, ...rest] = dictionaries;
        const records = (list: readonly Dictionary[]) =>
          IDS.flatMap((id) => listPairings(buildPairingIndex(list), id)).filter(
            ({ pairing }) => pairing.appId !== gone?.appId,
          );
        expect(records(rest)).toEqual(records(dictionaries));
      }),
    );
  });
});
