/** Every macro of a script, with its place. */
import type { Json, JsonPath } from "../../core/json/json.ts";
import { parseTemplate } from "../../core/macros/parse.ts";
import { listMacroStrings, type MacroPlace } from "../../core/macros/places.ts";
import type { Call, Template } from "../../core/macros/tree.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";

/** A macro where it is written. */
export interface PlacedCall {
  /** As plans name it: a question stands in it by its key, a hook and its input by their ids. */
  readonly path: JsonPath;
  readonly template: Template;
  readonly call: Call;
}

/** Every macro that is resolved, those within others too. */
export function findMacroCalls(dictionary: Dictionary): readonly PlacedCall[] {
  return listPlaces(dictionary).flatMap(({ path, text }) => {
    const template = parseTemplate(text);
    return template.calls.map((call) => ({ path, template, call }));
  });
}

function listPlaces({ questions, directories, appValues, hooks }: Dictionary): readonly MacroPlace[] {
  const of = (value: Json | undefined, path: JsonPath) => (value === undefined ? [] : listMacroStrings(value, path));
  const places = [
    ...questions.flatMap(({ key, default: offered }) => of(offered, ["installation_questions", key, "default"])),
    ...directories.flatMap(({ path, owner, snapshot }, index) => [
      ...of(path, ["ensure_directories_exists", index, "path"]),
      ...of(owner?.user, ["ensure_directories_exists", index, "owner", "user"]),
      ...of(owner?.group, ["ensure_directories_exists", index, "owner", "group"]),
      ...of(snapshot?.id, ["ensure_directories_exists", index, "snapshot", "id"]),
    ]),
    ...of(appValues, ["app_values"]),
    ...hooks.flatMap(({ id, inputs }) =>
      inputs.flatMap((input) => {
        if (input.type !== "question") return [];
        const { key, default: offered } = input.question;
        return of(offered, ["hooks", id, "inputs", input.id, key, "default"]);
      }),
    ),
  ];
  return places.filter(({ key }) => key !== true);
}
