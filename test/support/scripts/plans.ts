import type { Json, JsonObject } from "../../../src/core/json/json.ts";
import type { HostFacts } from "../../../src/core/plan/host-facts.ts";
import { type ResolvedPlan, resolvePlan } from "../../../src/core/plan/resolve-plan.ts";
import type { ResolveRequest } from "../../../src/core/plan/resolve-request.ts";
import { LOCATIONS } from "../../../src/core/script/script-words.ts";
import { dictionaryOf } from "./scripts.ts";

/** A host with every location, 16,000 MB, one running app and no graphics card. */
export const HOST: HostFacts = {
  lanIp: "192.168.1.20",
  hostId: "host-7",
  memoryMb: 16_000,
  cores: 4,
  locations: Object.fromEntries(LOCATIONS.map((location) => [location, `/mnt/tank/${location}`])),
  apps: { plex: { state: "RUNNING", version: "1.2.3", ports: [32_400] } },
  gpus: [],
};

/** Strings that differ at each call and tell their length: `R1xx`, `R2xx`. */
export function countingRandom(): (length: number) => string {
  let count = 0;
  return (length) => {
    count += 1;
    return `R${count}`.padEnd(length, "x").slice(0, length);
  };
}

export interface PlanChanges extends Partial<ResolveRequest> {
  readonly answers?: Readonly<Record<string, Json>>;
}

/** Resolves a script (the parts given, the rest minimal) on `HOST`; every location is required. */
export function planOf(script: Record<string, unknown>, { answers, ...changes }: PlanChanges = {}): ResolvedPlan {
  const requirements = { locations: [...LOCATIONS], specifications: [], permissions: [], ports: [] };
  return resolvePlan({
    dictionary: dictionaryOf("app", { requirements, ...script }),
    request: answers === undefined ? {} : { answers },
    facts: HOST,
    mode: "install",
    random: countingRandom(),
    ...changes,
  });
}

/** A question with whatever a test changes. */
export function rawQuestion(key: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { question: `${key}?`, type: "text", key, ...changes };
}

/** The value a string of `app_values` resolves to; questions are declared by the answers' types. */
export function resolved(text: string, answers: Readonly<Record<string, Json>> = {}, facts: HostFacts = HOST): Json {
  const keys = new Set([
    ...Object.keys(answers),
    ...[...text.matchAll(/\$QUESTION\((\w+)\)/g)].map(([, key]) => key ?? ""),
  ]);
  const installation_questions = [...keys].map((key) => rawQuestion(key, { type: typeOf(answers[key]) }));
  const { plan, problems } = planOf({ app_values: { value: text }, installation_questions }, { answers, facts });
  if (plan === null) throw new Error(problems.map(({ message }) => message).join("; "));
  return plan.appValues["value"] ?? null;
}

function typeOf(answer: Json | undefined): string {
  return typeof answer === "number" || typeof answer === "boolean" ? typeof answer : "text";
}

/** The app values of a script resolved, which must have no error. */
export function valuesOf(script: Record<string, unknown>, changes: PlanChanges = {}): JsonObject {
  const { plan, problems } = planOf(script, changes);
  if (plan === null) throw new Error(problems.map(({ message }) => message).join("; "));
  return plan.appValues;
}
