/** `SCRIPT.json#ID`: a widget named as its install script declares it. */
import { basename, dirname } from "node:path";
import { readAppId } from "../../adapters/catalog/list-scripts.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Dictionary, Widget } from "../../core/script/dictionary.ts";
import { readTextFile } from "./files.ts";

/** A widget and the script that declares it. */
export interface DeclaredWidget {
  readonly dictionary: Dictionary;
  readonly widget: Widget;
  /** Folder its TypeScript lies below, unless the caller names another. */
  readonly folder: string;
}

/**
 * Reads the widget `SCRIPT.json#ID` names. Throws `CLI_USAGE` for another form and where the script declares none of that
 * id, `CLI_FILE_UNREADABLE`, and `TASK_SCRIPT_REFUSED {problems}` where the script or its widgets have errors.
 */
export async function readDeclaredWidget(name: string): Promise<DeclaredWidget> {
  const [, file = "", id = ""] = /^(.+\.json)#([^#]+)$/.exec(name) ?? [];
  if (file === "")
    throw new EngineError("CLI_USAGE", `"${name}" does not name a widget, e.g. catalog/jellyfin.json#now`);
  const appId = readAppId(basename(file));
  const { parseDictionary } = await import("../../core/script/parse/parse-dictionary.ts");
  const { dictionary, problems } = parseDictionary({ appId, text: readTextFile(file) });
  const widget = dictionary?.widgets.find((declared) => declared.id === id);
  if (dictionary !== null && widget !== undefined) return { dictionary, widget, folder: dirname(file) };
  const errors = problems.filter(({ severity, path }) => severity === "error" && path[0] !== "hooks");
  if (dictionary === null || errors.length > 0) {
    const message = dictionary === null ? `"${file}" has errors` : `"${file}" has errors in its widgets`;
    throw new EngineError("TASK_SCRIPT_REFUSED", message, { appId, file, problems: errors });
  }
  const known = dictionary.widgets.map((declared) => `"${declared.id}"`).join(", ") || "none";
  throw new EngineError("CLI_USAGE", `"${file}" declares no widget "${id}"; declared are ${known}`);
}
