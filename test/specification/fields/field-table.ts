import { type HoldingTest, type Rule, testsOf } from "../rule.ts";

/** A field, its rule, whether it may be missing, values it takes and values that are an error at the field. */
export type FieldRow = readonly [
  field: string,
  rule: string,
  need: "required" | "optional",
  takes: readonly unknown[],
  refuses: readonly unknown[],
];

/** The fields of one object of an install script. */
export interface FieldTable {
  readonly name: string;
  /** A sound object: the required fields, and what the optional ones need beside them. */
  readonly sound: Readonly<Record<string, unknown>>;
  /** The changes to a sound script that put the object into it. */
  readonly place: (object: Record<string, unknown>) => Record<string, unknown>;
  readonly rows: readonly FieldRow[];
}

const held = testsOf("specification/fields");

/** The test of one row. */
export function findFieldTest({ name }: FieldTable, field: string): HoldingTest {
  return held(`${name} > ${field}`);
}

/** The rules of a table, all of them or those of the fields named. */
export function rulesOf(table: FieldTable, ...fields: readonly string[]): readonly Rule[] {
  return table.rows
    .filter(([field]) => fields.length === 0 || fields.includes(field))
    .map(([field, rule]) => [field, rule, findFieldTest(table, field)]);
}
