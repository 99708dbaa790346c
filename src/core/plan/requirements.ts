/**
 * Compares the requirements of a script with the host (docs/install-scripts.md, "Requirements"): locations are
 * enforced, the rest is advice unless the embedder enforces it.
 */

import { isUsable } from "../macros/macro-values.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary } from "../script/dictionary.ts";
import type { HostFacts } from "./host-facts.ts";

export interface RequirementsReport {
  readonly locations: { readonly met: readonly string[]; readonly unmet: readonly string[] };
  readonly advisory: readonly Advice[];
}

interface Advice {
  readonly kind: "specification" | "permission" | "port";
  /** As the script writes it. */
  readonly required: string | number;
  /** null: the host's facts do not tell. */
  readonly met: boolean | null;
  /** Found on the host instead, for a person. */
  readonly found: string;
  /** What to do about it, where it is not met. */
  readonly hint?: string;
  /** A port that is free on the host and not required by the script. */
  readonly proposal?: number;
}

type Verdict = Pick<Advice, "met" | "found" | "hint">;

const MAX_PORT = 65_535;

/** Compares the requirements of a script with the host; the app's own ports are no conflict. */
export function reportRequirements(dictionary: Dictionary, facts: HostFacts): RequirementsReport {
  const { locations, specifications, permissions, ports } = dictionary.requirements;
  const isConfigured = (location: string) => Object.hasOwn(facts.locations, location);
  const unmet = locations.filter((location) => !isConfigured(location));
  const advisory: Advice[] = [
    ...specifications.map((required): Advice => {
      return { kind: "specification", required, ...checkSpecification(required, dictionary, facts) };
    }),
    ...permissions.map((required): Advice => {
      const found =
        unmet.length === 0 ? "every required location is configured" : `not configured: ${unmet.join(", ")}`;
      return { kind: "permission", required, ...judge(unmet.length === 0, found, "configure the locations named") };
    }),
    ...checkPorts(dictionary.appId, ports, facts),
  ];
  return { locations: { met: locations.filter(isConfigured), unmet }, advisory };
}

/** A missing location is an error; unmet advice is one where `enforced`. */
export function toRequirementDiagnostics(
  dictionary: Dictionary,
  report: RequirementsReport,
  enforced: boolean,
): readonly Diagnostic[] {
  const { requirements } = dictionary;
  const missing = report.locations.unmet.map((location): Diagnostic => {
    const message = `the required location "${location}" is not configured on the host`;
    const path = ["requirements", "locations", requirements.locations.indexOf(location)];
    return { code: "REQUIREMENT_LOCATION_MISSING", severity: "error", message, path };
  });
  if (!enforced) return missing;
  const lists = {
    specification: requirements.specifications,
    permission: requirements.permissions,
    port: requirements.ports,
  };
  const unmet = report.advisory.flatMap(({ kind, required, met, found, hint }): readonly Diagnostic[] => {
    if (met !== false) return [];
    const declared: readonly (string | number)[] = lists[kind];
    const path = ["requirements", `${kind}s`, declared.indexOf(required)];
    const message = `"${required}" is required; found: ${found}`;
    return [{ code: "REQUIREMENT_UNMET", severity: "error", message, path, ...(hint !== undefined && { hint }) }];
  });
  return [...missing, ...unmet];
}

/** `<n>(MB|GB)` is free space, `<n>(MB|GB)RAM` memory (docs/decisions.md, section 1), any case. */
function checkSpecification(required: string, dictionary: Dictionary, facts: HostFacts): Verdict {
  if (/^gpu$/i.test(required)) {
    const usable = facts.gpus.filter(isUsable);
    const found =
      usable.length === 0 ? "no usable GPU" : usable.map(({ vendor, slot }) => `${vendor} ${slot}`).join(", ");
    return judge(usable.length > 0, found, "put a card into the host that it has a driver for, and let apps use it");
  }
  const [, digits, unit = "", ram] = /^(\d+)(?:(MB|GB)(RAM)?|CORE)$/i.exec(required) ?? [];
  if (digits === undefined) return { met: null, found: "the specification is not known" };
  if (unit === "") return judge(facts.cores >= Number(digits), `${facts.cores} cores`, "give the host more cores");
  const megabytes = Number(digits) * (unit.toUpperCase() === "GB" ? 1024 : 1);
  if (ram !== undefined) {
    return judge(facts.memoryMb >= megabytes, `${facts.memoryMb} MB of memory`, "give the host more memory");
  }
  return checkSpace(megabytes, dictionary.requirements.locations, facts.availableMb ?? {});
}

/** The script does not say where it needs the space: one required location that has it is enough. */
function checkSpace(
  megabytes: number,
  locations: readonly string[],
  availableMb: Readonly<Record<string, number>>,
): Verdict {
  const known = locations.filter((location) => Object.hasOwn(availableMb, location));
  if (known.length === 0) return { met: null, found: "free space not known" };
  const met = known.some((location) => (availableMb[location] ?? 0) >= megabytes);
  const found = known.map((location) => `${availableMb[location]} MB free in ${location}`).join(", ");
  return judge(met, found, "delete what is not needed there, snapshots too, or give a location another folder");
}

/** What to do is told of what is not met. */
function judge(met: boolean, found: string, hint: string): Verdict {
  return { met, found, ...(!met && { hint }) };
}

function checkPorts(appId: string, ports: readonly number[], facts: HostFacts): readonly Advice[] {
  const owners = new Map<number, string>();
  for (const [app, { ports: used }] of Object.entries(facts.apps)) {
    if (app !== appId) for (const port of used) owners.set(port, app);
  }
  const taken = new Set([...owners.keys(), ...ports]);
  return ports.map((required): Advice => {
    const owner = owners.get(required);
    if (owner === undefined) return { kind: "port", required, met: true, found: "free" };
    const proposal = freePort(required, taken);
    const advice = { kind: "port", required, met: false, found: `used by "${owner}"` } as const;
    if (proposal === null) return { ...advice, hint: `stop "${owner}"` };
    taken.add(proposal);
    return { ...advice, hint: `choose another port, e.g. ${proposal}, or stop "${owner}"`, proposal };
  });
}

/** The next free port above, else the highest free one below; privileged ports are never proposed. */
function freePort(from: number, taken: ReadonlySet<number>): number | null {
  for (let port = Math.max(from + 1, 1024); port <= MAX_PORT; port += 1) if (!taken.has(port)) return port;
  for (let port = Math.min(from - 1, MAX_PORT); port >= 1024; port -= 1) if (!taken.has(port)) return port;
  return null;
}
