/** One author's module as esbuild gets it: looked at first, and without the power to name a source map. */
import { SourceMap } from "node:module";
import { extname } from "node:path";
import { type Loader, type OnLoadResult, type PartialMessage, transform } from "esbuild";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { DiagnosticCode } from "./diagnostics.ts";
import { FORMS_TRANSFORM, findRefusedForms, mayHoldForms, type RefusedForm } from "./import-forms.ts";
import { NO_SOURCE_MAP } from "./no-source-map.ts";

/** The module's contents, or what is wrong with it, at places of `namespace:path`; inline code is TypeScript. */
export async function loadModule(namespace: string, path: string, text: string): Promise<OnLoadResult> {
  const name = `${namespace}:${path}`;
  const extension = namespace === "inline" ? ".ts" : extname(path);
  if (extension === ".json") return { contents: text, loader: "json" };
  if (extension === ".jsonc") return loadJsonc(name, text);
  const loader = extension === ".js" ? "js" : "ts";
  const errors = mayHoldForms(text) ? await lookAt(name, loader, text) : [];
  return errors.length > 0 ? { errors } : { contents: text + NO_SOURCE_MAP, loader };
}

/** Refused forms at the author's places; none where the text has errors that bundling will tell. */
async function lookAt(file: string, loader: Loader, text: string): Promise<PartialMessage[]> {
  const print = (sourcemap: "external" | false) =>
    transform(text + NO_SOURCE_MAP, { ...FORMS_TRANSFORM, loader, sourcemap });
  let code: string;
  try {
    code = (await print(false)).code;
  } catch (error) {
    if (error instanceof Error && "errors" in error) return [];
    throw error;
  }
  let forms: RefusedForm[];
  try {
    forms = findRefusedForms(code);
  } catch (error) {
    // esbuild has read it and acorn has not: nested deeper than its stack, in practice
    const reason = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, "") : String(error);
    return [
      {
        text: `the code can't be read: ${reason}`,
        location: { file },
        detail: new DiagnosticCode("SANDBOX_NOT_BUNDLED"),
      },
    ];
  }
  if (forms.length === 0) return [];
  const map = new SourceMap(JSON.parse((await print("external")).map));
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return forms.map(({ code, message, line, column, word }) => {
    const entry = map.findEntry(line - 1, column);
    const [atLine, atColumn] = "originalLine" in entry ? [entry.originalLine, entry.originalColumn] : [0, 0];
    const lineText = lines[atLine] ?? "";
    const location = {
      file,
      line: atLine + 1,
      column: Buffer.byteLength(lineText.slice(0, atColumn)),
      length: word.length,
      lineText,
    };
    return { text: message, location, detail: new DiagnosticCode(code) };
  });
}

/** esbuild's own loader knows neither comments nor trailing commas. */
function loadJsonc(file: string, text: string): OnLoadResult {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { contents: JSON.stringify(value), loader: "json" };
  const before = text.slice(0, first.offset).split("\n");
  const column = Buffer.byteLength(before.at(-1) ?? "");
  const lineText = text.split("\n")[before.length - 1] ?? "";
  const location = { file, line: before.length, column, length: first.length, lineText };
  return { errors: [{ text: `${printParseErrorCode(first.error)} in JSON with comments`, location }] };
}
