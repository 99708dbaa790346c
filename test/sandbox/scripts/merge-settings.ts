import type { HookContext } from "slipway/hook-api";
import defaults from "./requests/defaults.json" with { type: "json" };
import { requestJson, sendJson } from "./lib/http.ts";

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

function merge(into: Tree, from: Tree): Tree {
  for (const [key, value] of Object.entries(from)) {
    const old = into[key];
    into[key] = isTree(old) && isTree(value) ? merge(old, value) : structuredClone(value);
  }
  return into;
}

export const configure = async (ctx: HookContext) => {
  const live = await requestJson<Tree>(ctx, "/settings");
  const wanted = merge(structuredClone(live), defaults);
  if (JSON.stringify(wanted) === JSON.stringify(live)) return "unchanged";
  await sendJson(ctx, "PUT", "/settings", wanted);
  return "changed";
};
