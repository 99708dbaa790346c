/** `slipway new`: the files of a first app, which pass `slipway check` as they are. */
import { EngineError } from "../../../core/codes/problems.ts";
import { LOCATIONS } from "../../../core/script/script-words.ts";
import type { DefineCommand } from "../../command.ts";
import { listAppFiles } from "../../new-app/app-files.ts";
import { type NewApp, readLocations, refuseAppId, refuseName, refusePort, toName } from "../../new-app/new-app.ts";
import { writeNewFiles } from "../../new-app/write-new-files.ts";
import { canAsk, isLeaving, loadPrompts } from "../../ui/dialog/ask.ts";
import { formatOption } from "../../ui/format.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";

interface Options {
  readonly catalog: string;
  readonly name?: string;
  readonly port?: string;
  readonly location?: readonly string[];
  readonly hook?: boolean;
  readonly widget?: boolean;
  readonly format: "text" | "json";
}

/** Where a new app keeps its files where nobody says. */
const USUAL_LOCATION = "ApplicationsPerformance";

/** `slipway new APPID`: what no option says is asked at a terminal, and elsewhere the default; the port has none. */
export const defineNew: DefineCommand = (command, terminal) => {
  command
    .argument("<app>", "the app's id")
    .option("--catalog <dir>", "folder of install scripts; made where it is missing", ".")
    .option("--name <name>", "its name for people (default: made of the id)")
    .option("--port <port>", "the port its page is published on")
    .option(
      "--location <id>",
      `a location it uses, once for each or with commas; "none" for none (default: ${USUAL_LOCATION})`,
      (typed: string, before: readonly string[] = []) => [...before, ...typed.split(",")],
    )
    .option("--hook", "with a hook that sets it up")
    .option("--no-hook", "without one")
    .option("--widget", "with a widget of the dashboard")
    .option("--no-widget", "without one")
    .addOption(formatOption())
    .allowExcessArguments()
    .action(async (appId: string, options: Options) => {
      const { catalog, format } = options;
      const [, extra] = command.args;
      accept(extra === undefined ? null : refuseExtra(extra));
      accept(refuseAppId(appId));
      const app = { appId, ...(canAsk(terminal) ? await ask(appId, options, terminal) : read(appId, options)) };
      const files = writeNewFiles(catalog, listAppFiles(app));
      if (format === "json") return printJson(terminal, { appId, catalog, files });
      const next = `slipway check ${appId} --catalog ${catalog}`;
      terminal.stdout.write(`${[...files.map((file) => `wrote ${file}`), `try it: ${next}`].join("\n")}\n`);
    });
};

type Said = Omit<NewApp, "appId">;

function read(appId: string, options: Options): Said {
  const { name = toName(appId), port, location = [USUAL_LOCATION], hook = false, widget = false } = options;
  if (port === undefined) throw new EngineError("CLI_USAGE", "--port is missing, and there is nobody to ask");
  accept(refuseName(name) ?? refusePort(Number(port)));
  const locations = readLocations(location);
  return { name, port: Number(port), locations, hook, widget };
}

/** Asks for what no option says. */
async function ask(appId: string, options: Options, { signal }: Terminal): Promise<Said> {
  const { checkbox, confirm, input, number } = await loadPrompts();
  const given = { ...options };
  try {
    const name =
      given.name ??
      (await input(
        { message: "Name", default: toName(appId), validate: (text) => refuseName(text) ?? true },
        { signal },
      ));
    const port =
      given.port ??
      (await number(
        { message: "Port of its page", required: true, validate: (typed) => refusePort(typed) ?? true },
        { signal },
      ));
    const choices = LOCATIONS.map((value) => ({ value, checked: value === USUAL_LOCATION }));
    const location = given.location ?? (await checkbox({ message: "Locations it uses", choices }, { signal }));
    const hook = given.hook ?? (await confirm({ message: "A hook that sets it up?", default: true }, { signal }));
    const widget =
      given.widget ?? (await confirm({ message: "A widget of the dashboard?", default: false }, { signal }));
    return read(appId, { ...given, name, port: String(port), location, hook, widget });
  } catch (error) {
    if (!isLeaving(error)) throw error;
    throw new EngineError("CLI_INTERRUPTED", `interrupted before anything of "${appId}" was written`);
  }
}

/** Most likely the second of two names after one option. */
function refuseExtra(extra: string): string {
  return LOCATIONS.some((location) => location === extra)
    ? `"${extra}" stands alone: --location takes one name, or several with commas`
    : `"${extra}" is one argument too many: there is one app id`;
}

function accept(refusal: string | null): void {
  if (refusal !== null) throw new EngineError("CLI_USAGE", refusal);
}
