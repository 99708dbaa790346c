/** Tagged templates with what a browser does without left out: minifiers leave texts alone. */
import { readFile } from "node:fs/promises";
import { parse } from "acorn";
import { simple } from "acorn-walk";
import { type Plugin, transform } from "esbuild";

/** Minifies the styles within `css` templates. */
export const smallStyles: Plugin = {
  name: "small-styles",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/web\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const parts = text.split(/(?<=\bcss`)([^`$]*)(?=`)/);
      const small = await Promise.all(
        parts.map(async (part, at) => {
          if (at % 2 === 0) return part;
          const { code } = await transform(part, { loader: "css", minify: true });
          return code.trim();
        }),
      );
      return { contents: small.join(""), loader: "ts" };
    });
  },
};

/** Tags at the end of a template that close what ends with it anyway; Lit looks for those of elements with plain text. */
const CLOSING = /(?:\s*<\/(?!textarea|title|style|script)[\w-]+>)+$/;

/**
 * The code with a space where its tagged templates break a line, no quotes around plain words, and no tags that only close
 * what is open at their end.
 */
export function shrinkTemplates(code: string): string {
  const texts: { readonly start: number; readonly end: number; readonly tail: boolean }[] = [];
  simple(parse(code, { ecmaVersion: "latest", sourceType: "module" }), {
    TaggedTemplateExpression: ({ quasi: { quasis } }) =>
      void texts.push(...quasis.map(({ start, end, tail }) => ({ start, end, tail }))),
  });
  const inOrder = texts.toSorted((one, other) => one.start - other.start);
  const shrunk = inOrder.map(({ start, end, tail }, at) => {
    const before = code.slice(inOrder[at - 1]?.end ?? 0, start);
    const markup = shrinkMarkup(code.slice(start, end));
    return before + (tail ? markup.replace(CLOSING, "") : markup);
  });
  return shrunk.join("") + code.slice(inOrder.at(-1)?.end ?? 0);
}

function shrinkMarkup(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/ (?=\/?>)/g, "")
    .replaceAll(/="([\w-]+)"(?=[ >])/g, "=$1");
}
