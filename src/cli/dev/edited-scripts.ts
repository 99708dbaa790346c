/** Which hooks and widgets of an app somebody is editing. */
import type { ChangedFiles } from "../../adapters/catalog/watch/watch-catalog.ts";
import { listScriptFiles } from "../../check/watch/app-files.ts";
import { nameFake } from "../../check/world/read-fake.ts";
import type { Dictionary, Hook, Widget } from "../../core/script/dictionary.ts";

/** A hook or widget of an app. */
export type EditedScript =
  | { readonly kind: "hook"; readonly script: Hook }
  | { readonly kind: "widget"; readonly script: Widget };

/** Remembers what the scripts of apps looked like, and which of them were edited. */
export class EditedScripts {
  readonly #root: string;
  /** How each is declared, by app and by its name. */
  readonly #declared = new Map<string, ReadonlyMap<string, string>>();
  /** Names of those that were edited last, by app. */
  readonly #last = new Map<string, ReadonlySet<string>>();

  /** `root` is the catalog's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Takes an app as it is, before anything of it is edited. */
  learn(dictionary: Dictionary): void {
    this.#declared.set(dictionary.appId, declare(listScripts(dictionary)));
  }

  /**
   * The hooks and widgets a change is one of: of their file or one it imports, or of what the install script says of them;
   * with another fake, those edited last. None where too much changed to be somebody's edit.
   */
  async find(dictionary: Dictionary, changed: ChangedFiles): Promise<readonly EditedScript[]> {
    const { appId } = dictionary;
    const before = this.#declared.get(appId);
    this.learn(dictionary);
    if (changed === "all") return [];
    const last = changed.has(nameFake(appId)) ? this.#last.get(appId) : undefined;
    const edited: EditedScript[] = [];
    for (const one of listScripts(dictionary)) {
      const name = nameScript(one);
      const isOther = before?.get(name) !== JSON.stringify(one.script) || last?.has(name) === true;
      if (isOther || (await this.#isMadeOf(one, changed))) edited.push(one);
    }
    if (edited.length > 0) this.#last.set(appId, new Set(edited.map(nameScript)));
    return edited;
  }

  async #isMadeOf({ script: { source } }: EditedScript, changed: ReadonlySet<string>): Promise<boolean> {
    if (source.kind !== "file") return false;
    return !(await listScriptFiles(this.#root, source.path)).isDisjointFrom(changed);
  }
}

/** `hook set-up` or `widget overview`. */
export function nameScript({ kind, script }: EditedScript): string {
  return `${kind} ${script.id}`;
}

function listScripts({ hooks, widgets }: Dictionary): readonly EditedScript[] {
  return [
    ...hooks.map((script) => ({ kind: "hook", script }) as const),
    ...widgets.map((script) => ({ kind: "widget", script }) as const),
  ];
}

function declare(scripts: readonly EditedScript[]): ReadonlyMap<string, string> {
  return new Map(scripts.map((one) => [nameScript(one), JSON.stringify(one.script)]));
}
