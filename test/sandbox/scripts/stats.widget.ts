import type { WidgetContext, WidgetResult } from "slipway/hook-api";

const units = ["B", "KB", "MB", "GB", "TB"];
const size = (bytes: number) => {
  const exponent = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${(bytes / 1024 ** exponent).toFixed(1)} ${units[exponent]}`;
};

export const stats = async (ctx: WidgetContext): Promise<WidgetResult> => {
  const get = async (path: string) => (await fetch(`http://${ctx.host}:${ctx.port}${path}`)).json();
  const [totals, queue, disk] = await Promise.all([get("/totals"), get("/queue"), get("/disk").catch(() => undefined)]);
  ctx.log("queue", queue);
  return {
    fields: {
      items: { type: "stat", label: "Items", value: totals.items.toLocaleString("en-US") },
      queue: { type: "text", text: queue.length === 0 ? "Nothing to do" : queue.join(", ") },
      free: disk && { type: "stat", label: "Free", value: size(disk.free) },
    },
  };
};
