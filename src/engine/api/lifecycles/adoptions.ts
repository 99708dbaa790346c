/** An adoption shown before anybody agrees to it. */
import type { UnknownReason } from "../../../core/adopt/recover-answers.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { Json, JsonPath } from "../../../core/json/json.ts";
import type { FormQuestion } from "../../../core/plan/form.ts";
import type { Difference } from "../../../core/plan/values/update-differences.ts";

/** What is known of an installed app that can be adopted; secrets masked. Nothing is changed on the host. */
export interface AdoptPreview {
  readonly appId: string;
  /** Display name. */
  readonly name: string;
  /** Name of the instance on the host. */
  readonly instance: string;
  /** Of the host's package. */
  readonly version: string;
  /** Of the catalog's script, which it is updated with from then on. */
  readonly scriptVersion: string;
  /** Answers that would be kept, in the order of the questions. */
  readonly answers: readonly AdoptedAnswer[];
  /** Questions whose answers nobody knows, in their order; those of the request count as known. */
  readonly unknown: readonly UnknownAnswer[];
  /** How many generated strings were found, and where one is that can't be told from the text around it. */
  readonly generated: { readonly found: number; readonly unknown: readonly JsonPath[] };
  /** What an update with these answers would change, as far as it can be told: nothing is changed by the adoption. */
  readonly differences: readonly Difference[];
  /** What the adoption would be refused for, errors alone, and what an update would be refused for now, as warnings. */
  readonly problems: readonly Problem[];
  /** To agree to exactly this: what is told above, as a digest. */
  readonly revision: string;
}

/** An answer the app runs with. */
export interface AdoptedAnswer {
  /** Key of the question. */
  readonly key: string;
  readonly question: string;
  /** Absent of a password. */
  readonly value?: Json;
  readonly source: "recovered" | "given";
}

/** A question whose answer can't be told; its default is offered, unless it would be generated. */
export interface UnknownAnswer extends FormQuestion {
  readonly reason: UnknownReason;
}
