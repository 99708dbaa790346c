/** Schemas a script may give to `getInput`: one with `parse` (zod and its like) or a Standard Schema (standardschema.dev). */

interface StandardSchema {
  readonly "~standard": {
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: unknown; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] }
      | Promise<unknown>;
  };
}

/** Applies a schema to an input; a failing input throws an Error naming it. */
export function applySchema(id: string, value: unknown, schema: unknown): unknown {
  if (schema === undefined || schema === null) return value;
  const { parse } = schema as { parse?: unknown };
  if (typeof parse === "function") {
    try {
      return parse.call(schema, value);
    } catch (error) {
      throw new Error(`input "${id}" is not valid: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  const standard = (schema as Partial<StandardSchema>)["~standard"];
  if (typeof standard?.validate !== "function") {
    throw new TypeError("getInput: the schema has neither a parse function nor a ~standard.validate function");
  }
  const result = standard.validate(value);
  if (result instanceof Promise)
    throw new TypeError("getInput: the schema validates asynchronously; getInput is not async");
  if (result.issues === undefined) return result.value;
  throw new Error(`input "${id}" is not valid: ${result.issues.map((issue) => issue.message).join(", ")}`);
}
