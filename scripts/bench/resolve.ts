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
import { parseDictionary } from "../../src/core/script/parse-dictionary.ts";
import { LOCATIONS } from "../../src/core/script/script-words.ts";
import { interleaved, median, printTable, row, timed } from "./measure.ts";

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

function realDictionaries(): readonly Dictionary[] {
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
  const random = (length: number) => "r".repeat(length);
  const { plan } = resolvePlan({ dictionary, request: { answers }, facts, mode: "install", random });
  if (plan === null) throw new Error(`${dictionary.appId} does not resolve`);
}

const dictionaries = realDictionaries();
const ten = "$IF($QUESTION(a) == 'x', \"text, $SERVER_LAN_IP\", {'k': ['$MEMORY(5%, 10)']}) text ";
const small = ten.repeat(Math.ceil(10_000 / ten.length));
const large = small.repeat(10);

const found = await interleaved(BLOCKS, {
  copy: () => repeated(() => dictionaries.forEach(({ appValues }) => void structuredClone(appValues))),
  resolve: () => repeated(() => dictionaries.forEach(resolve)),
  small: () => repeated(() => parseTemplate(small)),
  large: () => repeated(() => parseTemplate(large)),
});

async function repeated(run: () => unknown): Promise<number> {
  const ms = await timed(() => {
    for (let count = 0; count < REPEATS; count += 1) run();
  });
  return (ms * 1_000) / REPEATS;
}

const base = median(found.copy);
printTable(`Resolving ${dictionaries.length} real scripts`, [
  row("deep copy of their app values", found.copy, "us", { ratio: 1 }),
  row("resolve: requirements, answers, macros, directories, form", found.resolve, "us", {
    ratio: median(found.resolve) / base,
  }),
]);
printTable("Parsing one string of macros", [
  row("10 KB", found.small, "us", { ratio: 1 }),
  row("100 KB", found.large, "us", { ratio: median(found.large) / median(found.small), target: "about 10: linear" }),
]);
