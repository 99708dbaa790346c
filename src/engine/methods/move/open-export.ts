import { EngineError } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import type { ExportedApp, ExportFile } from "../../move/export-file.ts";
import { movePaths } from "../../move/move-answers.ts";
import { readExport } from "../../move/read-export.ts";
import type { SecretSeal } from "../../move/seal-secrets.ts";
import type { ImportRequest } from "../../requests.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";

/** A file that was opened, with what each of its apps was set up with. */
export interface OpenedExport {
  readonly file: ExportFile;
  /** What an app was set up with, secrets included and paths where they are on this box; `given` answers go before. */
  choices(app: ExportedApp, locations: Readonly<Record<string, string>>): KeptChoices;
  /** The answers given beside the file for an app. */
  given(appId: string): KeptChoices["answers"];
}

/**
 * Checks a file and opens its secrets. Throws as `readExport` does, `EXPORT_PASSPHRASE_MISSING` where the request has none
 * and does not do without, `EXPORT_PASSPHRASE_WRONG`.
 */
export async function openExport(seal: SecretSeal, request: ImportRequest): Promise<OpenedExport> {
  const { passphrase, withoutSecrets = false, answers: given = {} } = request;
  const { file, raw } = readExport(request.file);
  const isOpened = file.secrets !== undefined && !withoutSecrets;
  if (isOpened && passphrase === undefined) {
    throw new EngineError("EXPORT_PASSPHRASE_MISSING", "the export holds secrets, and opens with its passphrase alone");
  }
  const secrets = file.secrets === undefined || !isOpened ? {} : await seal.open(raw, file.secrets, passphrase ?? "");
  const giveFor = (appId: string) => (Object.hasOwn(given, appId) ? (given[appId] ?? {}) : {});
  return {
    file,
    given: giveFor,
    choices({ appId, script, answers }, locations) {
      const own = Object.hasOwn(secrets, appId) ? secrets[appId] : undefined;
      const move = ([key, value]: readonly [string, Json]) =>
        [key, movePaths(value, file.locations, locations)] as const;
      const moved = Object.entries({ ...answers, ...own?.answers }).map(move);
      return {
        answers: { ...Object.fromEntries(moved), ...giveFor(appId) },
        randoms: own?.randoms ?? {},
        scriptVersion: script.version,
      };
    },
  };
}
