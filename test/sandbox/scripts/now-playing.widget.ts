import type { WidgetContext, WidgetEntry, WidgetResult } from "slipway/hook-api";

interface Playing {
  title: string;
  user?: string;
  thumb?: string;
  positionMs: number;
  durationMs: number;
  paused: boolean;
}

async function artwork(base: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const response = await fetch(base + path);
  if (!response.ok) return undefined;
  const bytes = Buffer.from(await response.arrayBuffer());
  return `data:${response.headers.get("content-type")};base64,${bytes.toString("base64")}`;
}

export async function nowPlaying({ host, port }: WidgetContext): Promise<WidgetResult> {
  const base = `http://${host}:${port}`;
  const playing = await (await fetch(`${base}/sessions`)).json<Playing[]>();
  const entries = await Promise.all(
    playing.slice(0, 20).map(
      async (item): Promise<WidgetEntry> => ({
        title: item.title,
        subtitle: item.user,
        image: await artwork(base, item.thumb),
        elapsed: { ms: item.positionMs, ofMs: item.durationMs, state: item.paused ? "paused" : "running" },
      }),
    ),
  );
  const image = entries.find((entry) => entry.image !== undefined)?.image;
  return {
    fields: {
      playing: { type: "list", entries },
      count: { type: "stat", label: "Playing", value: entries.length },
      cover: image === undefined ? undefined : { type: "image", image, alt: "Cover" },
    },
  };
}
