/** What a host's schema of an app says of its values before anything is sent: it refuses nothing. */
import { checkResolvedValues } from "../../core/app-values/check-resolved-values.ts";
import { checkScriptValues } from "../../core/app-values/check-script-values.ts";
import type { JudgeContext } from "../../core/app-values/judge-context.ts";
import { judgeValues } from "../../core/app-values/judge-values.ts";
import { keepSentValues } from "../../core/app-values/kept-values.ts";
import { isRefusal, type ValueFault } from "../../core/app-values/value-fault.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { isJsonObject, type JsonObject } from "../../core/json/json.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { mergeValues } from "../../core/plan/values/merge-values.ts";
import { createMask, type Mask, maskJson } from "../../core/report/mask.ts";
import type { Diagnostic } from "../../core/rules/diagnostic.ts";
import { DiagnosticList } from "../../core/rules/diagnostic-list.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { listProblems } from "../../core/script/parse/place-problems.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";
import type { AppVersion } from "../ports/host-records.ts";
import type { KnownSchema, KnownSchemas } from "./known-schemas.ts";

/** A script, and its entry. */
interface Script {
  readonly dictionary: Pick<Dictionary, "appValues" | "questions">;
  readonly entry: Pick<CatalogEntry, "file" | "sha256" | "servesLast">;
}

/** The values of a script with its macros resolved. */
type Sent = Pick<Plan, "appValues" | "secrets" | "secretPlaces">;

/** What a judge asks; without the catalog no finding has a place in the script. */
export interface JudgeDeps {
  readonly schemas: KnownSchemas;
  readonly catalog?: Catalog;
}

/** Asks what a version accepts, to judge the values of a script by it; null if the host does not say it. Never rejects. */
export async function openValueJudge(
  { schemas, catalog }: JudgeDeps,
  { dictionary, entry }: Script,
  { catalogApp, train, version }: AppVersion,
): Promise<ValueJudge | null> {
  const known = await schemas.find({ catalogApp, train, version });
  if (known === null) return null;
  // The text of the last readable script is not kept.
  const text = entry.servesLast === true ? null : await catalog?.scriptText?.(entry).catch(() => null);
  return new ValueJudge(known, dictionary, text ?? null);
}

/**
 * Why a version is certain to refuse values an app has with an older one; none if it may rewrite them first. A missing
 * certificate is not certain: the host may have it since its certificates were read.
 */
export function listCertainRefusals({ schema, migrates }: KnownSchema, values: JsonObject): readonly ValueFault[] {
  return migrates ? [] : judgeValues(schema.questions, values).faults.filter(isRefusal);
}

/** The values of an app once those of its script are merged in. */
export function mergeSent(appValues: JsonObject, live: JsonObject): JsonObject {
  return { ...live, ...mergeValues(appValues, live) };
}

/** One schema, and a script whose values it is about. Secrets are masked in every problem. */
export class ValueJudge {
  readonly #known: KnownSchema;
  readonly #script: Script["dictionary"];
  readonly #text: string | null;

  constructor(known: KnownSchema, script: Script["dictionary"], text: string | null) {
    this.#known = known;
    this.#script = script;
    this.#text = text;
  }

  /** The values of an install. */
  judgeInstall(sent: Sent): readonly Problem[] {
    return this.#judge(sent, sent.appValues);
  }

  /** A script whose values can't be resolved yet, whatever its questions are answered with. */
  judgeScript(): readonly Problem[] {
    return this.#place(checkScriptValues(this.#script, this.#known.schema, readContext(this.#known)));
  }

  /** The values an app has after an update, which leaves its version as it is. */
  judgeUpdate(sent: Sent, live: JsonObject): readonly Problem[] {
    return this.#judge(sent, mergeSent(sent.appValues, live), { before: live });
  }

  /** The values an app moves to the version with; `isRefused`: that is certain to refuse them. */
  judgeUpgrade(sent: Sent, live: JsonObject): { readonly problems: readonly Problem[]; readonly isRefused: boolean } {
    const values = mergeSent(sent.appValues, live);
    const isRefused = listCertainRefusals(this.#known, values).length > 0;
    return { problems: this.#judge(sent, values), isRefused };
  }

  /** What the host keeps of the values it is sent. */
  keepSent(appValues: JsonObject): JsonObject {
    return keepSentValues(this.#known.schema.questions, appValues);
  }

  #judge({ appValues, secrets, secretPlaces }: Sent, values: JsonObject, more: JudgeContext = {}): readonly Problem[] {
    const mask = createMask(secrets);
    const masked = maskJson(values, mask, secretPlaces);
    const shown = isJsonObject(masked) ? masked : {};
    // Without values of the script those judged are the host's alone.
    const script = Object.keys(appValues).length === 0 ? {} : this.#script.appValues;
    const context = { ...readContext(this.#known), ...more };
    const found = checkResolvedValues(this.#known.schema, { values, shown, script }, context);
    return this.#place(found.map((one) => maskDiagnostic(one, mask)));
  }

  /** What stands in no file, or in one that has changed, has the length 0. */
  #place(diagnostics: readonly Diagnostic[]): readonly Problem[] {
    const text = this.#text;
    const found = new DiagnosticList();
    found.addAll(diagnostics);
    return listProblems(text ?? "{}", found).map((problem) => {
      return text === null || problem.path.length === 0 ? { ...problem, line: 1, column: 1, length: 0 } : problem;
    });
  }
}

function readContext({ certificates }: KnownSchema): JudgeContext {
  return certificates === undefined ? {} : { certificates };
}

function maskDiagnostic(diagnostic: Diagnostic, mask: Mask): Diagnostic {
  const { message, hint } = diagnostic;
  return { ...diagnostic, message: mask(message), ...(hint !== undefined && { hint: mask(hint) }) };
}
