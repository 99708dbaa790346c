import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import type { Gpu } from "../../core/plan/host-facts.ts";
import { readList, readTexts } from "../../core/script/parse/read-fields.ts";

/** The part of a host that its answers add to an app's questions. */
interface FilledFrom {
  readonly certificates: readonly number[];
  readonly addresses: readonly string[];
  readonly gpus: readonly Gpu[];
}

/** Questions with what the host fills in for their references, at every depth (docs/host-api.md, section 6). */
export function fillReferences(questions: readonly Json[], host: FilledFrom): readonly Json[] {
  return questions.map((question) => {
    const schema = isJsonObject(question) ? question["schema"] : undefined;
    if (!isJsonObject(question) || !isJsonObject(schema)) return question;
    const below = Object.fromEntries(
      ["attrs", "items"].flatMap((key) =>
        schema[key] === undefined ? [] : [[key, fillReferences(readList(schema, key), host)] as const],
      ),
    );
    const entries = readTexts(schema, "$ref").flatMap((ref) => Object.entries(FILLED[ref]?.(host) ?? {}));
    const filled = { ...schema, ...below, ...Object.fromEntries(entries) };
    return { ...question, schema: filled };
  });
}

const FILLED: Readonly<Record<string, (host: FilledFrom) => JsonObject>> = {
  "definitions/timezone": () => ({ enum: listChoices(Intl.supportedValuesOf("timeZone")), default: "Etc/UTC" }),
  "definitions/certificate": ({ certificates }) => ({
    enum: [{ value: null, description: "No Certificate" }, ...listChoices(certificates)],
    default: null,
    null: true,
  }),
  "definitions/node_bind_ip": ({ addresses }) => ({ enum: listChoices(["0.0.0.0", "::", ...addresses]) }),
  "definitions/gpu_configuration": ({ gpus }) => ({
    attrs: [
      { variable: "use_all_gpus", schema: { type: "boolean", default: false } },
      { variable: "nvidia_gpu_selection", schema: { type: "dict", attrs: gpus.flatMap(toGpuQuestion) } },
    ],
  }),
};

function listChoices(values: readonly (string | number)[]): readonly Json[] {
  return values.map((value) => ({ value, description: String(value) }));
}

function toGpuQuestion({ slot, vendor, uuid = "" }: Gpu): readonly Json[] {
  if (vendor !== "NVIDIA") return [];
  const attrs = [
    { variable: "use_gpu", schema: { type: "boolean", default: false } },
    { variable: "uuid", schema: { type: "string", default: uuid } },
  ];
  return [{ variable: slot, schema: { type: "dict", attrs } }];
}
