/** Other languages than English as the list of their words, in the order of the English ones: a browser has the keys once. */
import { readFile } from "node:fs/promises";
import { type Expression, parse } from "acorn";
import { type Plugin, transform } from "esbuild";
import { en } from "../../src/web/ui/words/en.ts";

/** Packs the modules of words, each of which exports them by the name of its file. */
export const packedWords: Plugin = {
  name: "packed-words",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/web\/ui\/words\/[a-z]{2}\.ts$/ }, async ({ path }) => {
      if (path.endsWith("/en.ts")) return undefined;
      const { code } = await transform(await readFile(path, "utf8"), { loader: "ts", target: "es2023" });
      return { contents: packWords(code, path), loader: "js" };
    });
  },
};

function packWords(code: string, path: string): string {
  const language = path.slice(-5, -3);
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const declared = body.flatMap((each) => {
    const declaration = each.type === "ExportNamedDeclaration" ? each.declaration : null;
    return declaration?.type === "VariableDeclaration" ? declaration.declarations : [];
  });
  const words = declared.find(({ id }) => id.type === "Identifier" && id.name === language)?.init;
  if (!words) throw new Error(`${path} has no words named "${language}"`);
  return `import { en } from "./en.ts";
import { nameWords } from "./name-words.ts";
${code.slice(0, words.start)}nameWords(en, ${listWords(code, words, en)})${code.slice(words.end)}`;
}

/** The words of an object as the text of a list, in the order of another's. */
function listWords(code: string, words: Expression, shape: object): string {
  if (words.type !== "ObjectExpression") throw new Error("words with words below them are an object");
  const values = new Map(
    words.properties.map((each) => {
      if (each.type !== "Property" || each.computed) throw new Error("a word has a name");
      return [readName(each.key), each.value];
    }),
  );
  const texts = Object.entries(shape).map(([name, word]) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the word "${name}" is missing`);
    return typeof word === "object" ? listWords(code, value, word) : code.slice(value.start, value.end);
  });
  return `[${texts.join(",")}]`;
}

/** A kind of task may have a dash in its name. */
function readName(key: Expression): string {
  if (key.type === "Identifier") return key.name;
  if (key.type === "Literal" && typeof key.value === "string") return key.value;
  throw new Error("the name of a word is a string");
}
