import type { WidgetContext, WidgetResult } from "slipway/hook-api";

interface Library {
  titles: number;
  recent: { title: string; added: string }[];
}

/** Counts the titles and lists the newest. */
export async function library(ctx: WidgetContext): Promise<WidgetResult> {
  const answer = await fetch(`http://${ctx.host}:${ctx.port}/api/library`);
  if (answer.status === 401) return { needsSetup: true, reason: "Demo Media is not set up yet" };
  const found: Library = await answer.json();
  return {
    fields: {
      titles: { type: "stat", label: "Titles", value: found.titles },
      recent: {
        type: "list",
        entries: found.recent.map(({ title, added }) => ({ title, subtitle: added })),
      },
    },
  };
}
