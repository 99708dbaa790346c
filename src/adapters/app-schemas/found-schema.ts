import type { SchemaFault } from "../../core/app-values/parse-questions.ts";
import type { AppSchema } from "../../core/app-values/question.ts";

/** What is known of an app: its schema, that the catalog has no such app, or that its schema can't be read. */
export type FoundSchema =
  | { readonly kind: "schema"; readonly schema: AppSchema }
  | { readonly kind: "unknown"; readonly apps: readonly string[] }
  | { readonly kind: "faulty"; readonly reason: string };

/** Schemas by catalog id. Of an app in two trains that of `stable`, which an install would take. */
export interface AppSchemas {
  /** Reads a schema once; later calls get the same. */
  find(app: string): Promise<FoundSchema>;
}

/** A schema with a question left out would report its values as unknown, so it is not used. */
export function toFound(schema: AppSchema, faults: readonly SchemaFault[]): FoundSchema {
  const [fault] = faults;
  if (fault === undefined) return { kind: "schema", schema };
  return { kind: "faulty", reason: `${fault.question === "" ? "" : `question "${fault.question}": `}${fault.message}` };
}
