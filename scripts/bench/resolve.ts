/**
 * Bench of resolving plans against a deep copy of the same app values (`structuredClone`) in the same run: interleaved
 * blocks, medians. `npm run bench:resolve [-- --quick]`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Json } from "../../src/core/json/json.ts";
import { parseTemplate } from "../../src/core/macros/parse.ts";
import type { HostFacts } from "../../src/core/plan/host-facts.ts";
import { resolvePlan } from "../../src/core/plan/resolve-plan.ts";
import type { Dictionary } from "../../src/core/script/dictionary.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { LOCATIONS } from "../../src/core/script/script-words.ts";
import { computeMedian, createRow, measureInterleaved, measureMs, printTable } from "./measure.ts";

const CATALOG = new URL("../../../shared/catalog/", import.meta.url).pathname;
const BLOCKS = process.argv.includes("--quick") ? 10 : 100;
/** A block is long enough for the clock. */
const REPEATS = 10;

const facts: HostFacts = {
  lanIp: "192.168.1.20",
  hostId: "bench",
  memoryMb: 16_000,
  cores: 4,
  locations: Object.fromEntries(LOCATIONS.map((location) => [location, `/mnt/tank/${location}`])),
  apps: {},
  gpus: [],
};

function readRealDictionaries(): readonly Dictionary[] {
  if (!existsSync(CATALOG)) throw new Error(`the bench needs the real scripts in ${CATALOG}`);
  const files = readdirSync(CATALOG).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const { dictionary } = parseDictionary({
      appId: file.slice(0, -".json".length),
      text: readFileSync(CATALOG + file, "utf8"),
    });
    return dictionary === null ? [] : [dictionary];
  });
}

function resolve(dictionary: Dictionary): void {
  const required = dictionary.questions.filter(({ default: offered }) => offered === undefined || offered === "");
  const answers: Record<string, Json> = Object.fromEntries(required.map(({ key }) => [key, "answer"]));
  const makeRandom = (length: number) => "r".repeat(length);
  const { plan } = resolvePlan({ dictionary, request: { answers }, facts, mode: "install", random: makeRandom });
  if (plan === null) throw new Error(`${dictionary.appId} does not resolve`);
}

const dictionaries = readRealDictionaries();
const ten = "$IF($QUESTION(a) == 'x', \"text, $SERVER_LAN_IP\", {'k': ['$MEMORY(5%, 10)']}) text ";
const small = ten.repeat(Math.ceil(10_000 / ten.length));
const large = small.repeat(10);

const found = await measureInterleaved(BLOCKS, {
  copy: () => measureRepeated(() => dictionaries.forEach(({ appValues }) => void structuredClone(appValues))),
  resolve: () => measureRepeated(() => dictionaries.forEach(resolve)),
  small: () => measureRepeated(() => parseTemplate(small)),
  large: () => measureRepeated(() => parseTemplate(large)),
});

async function measureRepeated(run: () => unknown): Promise<number> {
  const ms = await measureMs(() => {
    for (let count = 0; count < REPEATS; count += 1) run();
  });
  return (ms * 1_000) / REPEATS;
}

const base = computeMedian(found.copy);
printTable(`Resolving ${dictionaries.length} real scripts`, [
  createRow("deep copy of their app values", found.copy, "us", { ratio: 1 }),
  createRow("resolve: requirements, answers, macros, directories, form", found.resolve, "us", {
    ratio: computeMedian(found.resolve) / base,
  }),
]);
printTable("Parsing one string of macros", [
  createRow("10 KB", found.small, "us", { ratio: 1 }),
  createRow("100 KB", found.large, "us", {
    ratio: computeMedian(found.large) / computeMedian(found.small),
    target: "about 10: linear",
  }),
]);
