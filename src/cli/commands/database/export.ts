import type { Exported } from "../../../engine/api.ts";
import type { ExportRequest } from "../../../engine/requests.ts";
import type { DefineCommand } from "../../command.ts";
import { addEngineOptions, withEngine } from "../../options/connect.ts";
import { readPassphrase } from "../../options/passphrase.ts";
import { byUser } from "../../options/user.ts";
import { refuseExistingFile, writePrivateFile } from "../../options/write-private-file.ts";
import { formatOption } from "../../ui/format.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";
import type { StartOptions } from "../install.ts";

interface ExportOptions extends StartOptions {
  readonly out: string;
  readonly passphraseFile?: string;
  readonly withoutSecrets?: true;
  readonly force?: boolean;
}

/** `export --out FILE`: what the installed apps were set up with, for another box. */
export const defineExport: DefineCommand = (command, terminal) => {
  addEngineOptions(command)
    .requiredOption("--out <file>", "where the export is written, with mode 0600")
    .option("--passphrase-file <file>", "file with the passphrase secrets are sealed with (or SLIPWAY_PASSPHRASE)")
    .option("--without-secrets", "leave passwords and generated strings out")
    .option("--force", "replace a file of that name")
    .addOption(formatOption())
    .action(async (options: ExportOptions) => {
      const { out, format, force = false, withoutSecrets, passphraseFile } = options;
      refuseExistingFile(out, force);
      const request: ExportRequest =
        withoutSecrets === true
          ? { withoutSecrets }
          : { passphrase: await readPassphrase(passphraseFile, true, terminal) };
      await withEngine(options, terminal, async (engine) => {
        const { file, ...exported } = await engine.exportApps(request, byUser());
        writePrivateFile(out, file, force);
        if (format === "json") printJson(terminal, { file: out, ...exported });
        else tell(out, exported, terminal);
      });
    });
};

function tell(out: string, { apps, links, sealed, leftOut }: Omit<Exported, "file">, terminal: Terminal): void {
  const secrets = sealed ? "its secrets open with the passphrase alone" : "without secrets";
  const lines = [
    `${out}: ${apps.length} apps, ${links} links, ${secrets}`,
    ...leftOut.map(({ message }) => `  left out: ${message}`),
    "It holds no data of apps: move that by the host's own means.",
  ];
  terminal.stdout.write(`${lines.join("\n")}\n`);
}
