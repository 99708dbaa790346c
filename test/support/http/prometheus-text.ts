/** Prometheus' text format 0.0.4, read as strictly as its specification has it. */

/** A value with the labels it is told apart by. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What stands under one name, a histogram's parts together. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;

/** Reads a page of metrics; throws at the first line that is none, and at a family that contradicts itself. */
export function parsePrometheusText(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  let help: readonly [name: string, text: string] | undefined;
  let open = "";
  for (const line of text.split("\n")) {
    const [, helped, words = ""] = HELP.exec(line) ?? [];
    const [, typed, type = ""] = TYPE.exec(line) ?? [];
    if (helped !== undefined) help = [helped, words];
    else if (typed !== undefined) {
      if (families.has(typed)) throw new Error(`a second family: ${line}`);
      families.set(typed, { type, help: help?.[0] === typed ? help[1] : "", samples: [] });
      open = typed;
    } else if (line !== "" && !line.startsWith("#")) {
      const sample = readSample(line);
      const family = families.get(open);
      const own = family?.type === "histogram" ? sample.name.replace(/_(?:bucket|sum|count)$/, "") : sample.name;
      if (family === undefined || own !== open) throw new Error(`not of the family "${open}": ${line}`);
      family.samples.push(sample);
    }
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function readSample(line: string): Sample {
  const [, name = "", labels = "", number = ""] = SAMPLE.exec(line) ?? [];
  const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
  if (name === "" || Number.isNaN(value)) throw new Error(`no sample: ${line}`);
  const found = [...labels.matchAll(LABEL)];
  if (found.map(([whole]) => whole).join("") !== labels) throw new Error(`no labels: ${line}`);
  return { name, value, labels: Object.fromEntries(found.map(([, key = "", text = ""]) => [key, text])) };
}

function checkFamily(name: string, { type, samples }: Family): void {
  const series = samples.map((sample) => JSON.stringify([sample.name, sample.labels]));
  if (new Set(series).size !== series.length) throw new Error(`${name} has a series twice`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`${name} is a counter by another name`);
  if (type !== "histogram") return;
  const apart = ({ labels: { le: _, ...labels } }: Sample) => JSON.stringify(labels);
  for (const [labels, parts] of Map.groupBy(samples, apart)) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`);
    const counts = buckets.map(({ value }) => value);
    const total = parts.find((part) => part.name === `${name}_count`)?.value;
    const grows = counts.every((count, at) => at === 0 || count >= (counts[at - 1] ?? 0));
    const last = buckets.at(-1);
    if (!grows || last?.labels["le"] !== "+Inf" || last.value !== total)
      throw new Error(`${name}${labels} is no histogram`);
  }
}
