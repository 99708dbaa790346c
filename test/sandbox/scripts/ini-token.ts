import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HookContext } from "slipway/hook-api";

type Ini = Record<string, Record<string, string>>;

function parseIni(text: string): Ini {
  const ini: Ini = {};
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[(.+)\]$/.exec(line.trim());
    if (header) section = header[1]!;
    const pair = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (pair && !line.trimStart().startsWith(";")) (ini[section] ??= {})[pair[1]!] = pair[2]!;
  }
  return ini;
}

export async function enableHistory(ctx: HookContext) {
  const ini = parseIni(await readFile(join(ctx.mounts[0]!.localPath, "app", "settings.ini"), "utf8"));
  const url = new URL(`${ini["general"]!["base_url"]}/api`, ctx.baseUrl);
  url.search = new URLSearchParams({ apikey: ini["general"]!["api_key"]!, cmd: "enable_history" }).toString();
  const response = await fetch(url);
  const body = await response.json<{ result: string; language: string }>();
  return { result: body.result, query: response.url.split("?")[1], theme: ini["ui"]?.["theme"] };
}
