import compare from "semver/functions/compare.js";
import valid from "semver/functions/valid.js";
import { listSchemaEntries } from "../../core/app-values/list-schemas.ts";
import { parseAppSchema, parseQuestions } from "../../core/app-values/parse-questions.ts";
import type { ValueQuestion } from "../../core/app-values/question.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import { readList } from "../../core/script/parse/read-fields.ts";
import type { AppRecord } from "../host-state.ts";
import { DEMO_QUESTIONS } from "./demo-schemas.ts";

/** The questions of one version of an app. */
interface VersionQuestions {
  /** As a catalog writes them. */
  readonly written: readonly Json[];
  readonly questions: readonly ValueQuestion[];
  /** They are all there is about the app's values; the demo's apps have values of their own beside theirs. */
  readonly isWhole: boolean;
}

type Versions = { readonly version: string; readonly found: VersionQuestions }[];

/** The questions of the host's catalog by app, train and version. An app without any takes every value. */
export class CatalogQuestions {
  readonly #byTrain = new Map<string, Versions>();
  readonly #byId = new Map<string, Versions>();

  /** `schemas`: an object or list of `{app, train, version, questions}`. Throws `CLI_USAGE` for one that can't be read. */
  constructor(schemas: Json) {
    for (const [app, written] of DEMO_QUESTIONS) {
      this.#byId.set(app, [
        { version: "0.0.0", found: { written, questions: parseQuestions(written).questions, isWhole: false } },
      ]);
    }
    const given = listSchemaEntries(schemas);
    for (const { app } of given) this.#byId.delete(app);
    for (const { app, train, value } of given) {
      const read = readEntry(`${train}/${app}`, value);
      const versions = this.#byTrain.get(`${train}/${app}`) ?? [];
      versions.push(read);
      versions.sort((a, b) => compareVersions(a.version, b.version));
      this.#byTrain.set(`${train}/${app}`, versions);
      if (!this.#byId.has(app) || train === "stable") this.#byId.set(app, versions);
    }
  }

  /** Those of the version, else of the newest older one there are questions of, else of the oldest; null: there are none. */
  find({ catalogApp, train, version }: Pick<AppRecord, "catalogApp" | "train" | "version">): VersionQuestions | null {
    const versions = this.#byTrain.get(`${train}/${catalogApp}`) ?? this.#byId.get(catalogApp) ?? [];
    const nearest = versions.findLast((one) => compareVersions(one.version, version) <= 0) ?? versions[0];
    return nearest?.found ?? null;
  }
}

function readEntry(key: string, value: Json): Versions[number] {
  const parsed = parseAppSchema(value);
  const [fault] = parsed?.faults ?? [{ question: "", message: "it has no version" }];
  if (parsed === null || fault !== undefined) {
    const place = fault === undefined || fault.question === "" ? "" : `question "${fault.question}": `;
    throw new EngineError("CLI_USAGE", `the schema of "${key}" can't be read: ${place}${fault?.message}`);
  }
  const { questions, version } = parsed.schema;
  const written = isJsonObject(value) ? readList(value, "questions") : [];
  return { version, found: { written, questions, isWhole: true } };
}

function compareVersions(a: string, b: string): number {
  if (valid(a) !== null && valid(b) !== null) return compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
