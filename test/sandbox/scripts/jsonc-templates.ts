import type { HookContext } from "slipway/hook-api";
import templates from "./requests/indexers.jsonc" with { type: "json" };
import { sendJson } from "./lib/http.ts";

interface Indexer {
  name: string;
  url: string;
  key: string;
  categories: number[];
}

const fill = (indexer: Indexer, key: string): Indexer => JSON.parse(JSON.stringify(indexer).replaceAll("{{key}}", key));

export async function addIndexers(ctx: HookContext) {
  const names: string[] = [];
  for (const template of templates.indexers as Indexer[]) {
    const { name } = await sendJson<Indexer>(ctx, "POST", "/api/v1/indexer", fill(template, ctx.getInput("key")));
    names.push(name);
  }
  return names;
}
