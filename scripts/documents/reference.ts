/**
 * Writes the tables of docs/install-scripts.md: fields from the schemas, problems from the registry of codes. With
 * `--check` only compares and exits 1 where one differs.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { CODES } from "../../src/core/codes/codes.ts";
import { buildScriptJsonSchema } from "../../src/core/script/script-json-schema.ts";
import { escapeCell, isPartCurrent, writePart } from "./document-part.ts";

const FILE = "docs/install-scripts.md";

/** The part of a JSON Schema the tables show. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
}

const SchemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    items: SchemaShape.optional(),
    properties: z.record(z.string(), SchemaShape).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(SchemaShape).optional(),
    oneOf: z.array(SchemaShape).optional(),
  }),
);

const DEFINITIONS = z.record(z.string(), SchemaShape).parse(buildScriptJsonSchema()["$defs"]);

/** The table of one definition: its fields, or its alternatives by their `type`. */
function renderTable(name: string): string {
  const schema = DEFINITIONS[name];
  if (schema === undefined) throw new Error(`the schema has no definition "${name}"`);
  if (schema.properties === undefined) return renderAlternatives(schema.oneOf ?? []);
  return ["| Field | Type | Required | Meaning |", "|---|---|---|---|", ...renderRows(schema, "")].join("\n");
}

function renderAlternatives(schemas: readonly Schema[]): string {
  const rows = schemas.map(({ properties = {} }) => {
    const { type, ...others } = properties;
    const fields = Object.entries(others).map(([key, field]) => `\`${key}\`: ${escapeCell(field.description ?? "")}`);
    return `| ${describeType(type ?? {})} | ${fields.join("<br>")} |`;
  });
  return ["| `type` | Other fields |", "|---|---|", ...rows].join("\n");
}

/** A row for each field; members of objects without a name of their own stand as `outer.inner`. */
function renderRows(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const path = `${prefix}${key}`;
    const required = schema.required?.includes(key) === true ? "yes" : "no";
    const row = `| \`${path}\` | ${describeType(field)} | ${required} | ${escapeCell(describeMeaning(field))} |`;
    const inner = field.items?.properties === undefined ? field : field.items;
    const isNamed = inner.properties === undefined;
    return [row, ...(isNamed ? [] : renderRows(inner, field === inner ? `${path}.` : `${path}[].`))];
  });
}

function describeMeaning({ description, $ref }: Schema): string {
  return description ?? ($ref === undefined ? undefined : DEFINITIONS[readName($ref)]?.description) ?? "";
}

function readName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function describeType(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(describeType).join(" or ");
  if (schema.items !== undefined) return `list of ${describeType(schema.items)}`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "any");
}

function linkTo(ref: string): string {
  return `[${readName(ref)}](#${readName(ref).toLowerCase()})`;
}

function renderProblems(area: string): string {
  const rows = Object.entries(CODES)
    .filter(([code]) => code.startsWith(`${area}_`))
    .map(([code, row]) => {
      const severity = "severity" in row ? row.severity : "error";
      return `| \`${code}\` | ${severity} | ${escapeCell(row.title)} | ${escapeCell(row.hint)} |`;
    });
  if (rows.length === 0) throw new Error(`no code begins with "${area}_"`);
  return ["| Code | Severity | Found | What to do |", "|---|---|---|---|", ...rows].join("\n");
}

const document = readFileSync(new URL(`../../${FILE}`, import.meta.url), "utf8");
const check = process.argv.includes("--check");
let stale = false;
for (const [, kind = "", subject = ""] of document.matchAll(/<!-- (fields|problems) (\w+) -->/g)) {
  const part = { file: FILE, name: `${kind} ${subject}` };
  const text = `\n${kind === "fields" ? renderTable(subject) : renderProblems(subject)}\n`;
  if (!check) writePart(part, text);
  else stale ||= !isPartCurrent(part, text);
}
if (stale) {
  process.stderr.write(`${FILE} is out of date: run npm run reference\n`);
  process.exitCode = 1;
}
