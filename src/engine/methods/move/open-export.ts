import { EngineError } from "../../../core/codes/problems.ts";
import type { ExportedApp, ExportFile } from "../../move/export-file.ts";
import { createMove } from "../../move/move-answers.ts";
import { readExport } from "../../move/read-export.ts";
import type { SecretSeal } from "../../move/seal-secrets.ts";
import type { ImportRequest } from "../../requests.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";

/** A file that was opened, with what each of its apps was set up with. */
export interface OpenedExport {
  readonly file: ExportFile;
  /** What the apps were set up with, for a box that has its locations there. */
  choicesOn(locations: Readonly<Record<string, string>>): ReadChoices;
  /** The answers given beside the file for an app. */
  given(appId: string): KeptChoices["answers"];
}

/** What an app was set up with, secrets included and paths where they are on this box; `given` answers go before. */
export type ReadChoices = (app: ExportedApp) => KeptChoices;

/**
 * Checks a file and opens its secrets. Throws as `readExport` does, `EXPORT_PASSPHRASE_MISSING` where the request has none
 * and does not do without, `EXPORT_PASSPHRASE_WRONG`, also where it has one and the file no seal.
 */
export async function openExport(seal: SecretSeal, request: ImportRequest): Promise<OpenedExport> {
  const { passphrase, withoutSecrets = false, answers: given = {} } = request;
  const { file, raw } = readExport(request.file);
  if (file.secrets === undefined && passphrase !== undefined && !withoutSecrets) {
    // Whoever takes the seal away may have changed all the rest.
    throw new EngineError("EXPORT_PASSPHRASE_WRONG", "a passphrase was given, and nothing in the export is sealed");
  }
  const isOpened = file.secrets !== undefined && !withoutSecrets;
  if (isOpened && passphrase === undefined) {
    throw new EngineError("EXPORT_PASSPHRASE_MISSING", "the export holds secrets, and opens with its passphrase alone");
  }
  const secrets = file.secrets === undefined || !isOpened ? {} : await seal.open(raw, file.secrets, passphrase ?? "");
  const giveFor = (appId: string) => (Object.hasOwn(given, appId) ? (given[appId] ?? {}) : {});
  return {
    file,
    given: giveFor,
    choicesOn(locations) {
      const move = createMove(file.locations, locations);
      const read: ReadChoices = ({ appId, script, answers }) => {
        const own = Object.hasOwn(secrets, appId) ? secrets[appId] : undefined;
        const moved = Object.entries({ ...answers, ...own?.answers }).map(([key, value]) => [key, move(value)]);
        return {
          answers: { ...Object.fromEntries(moved), ...giveFor(appId) },
          randoms: own?.randoms ?? {},
          scriptVersion: script.version,
        };
      };
      // Each link of an app asks again, and there may be thousands.
      const known = new Map<string, KeptChoices>();
      return (app) => {
        const choices = known.get(app.appId) ?? read(app);
        known.set(app.appId, choices);
        return choices;
      };
    },
  };
}
