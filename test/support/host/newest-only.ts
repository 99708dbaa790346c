/** A relay before a stand-in whose catalog shows the newest version of each app alone, as the host's own catalog does. */
import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

const Details = z.looseObject({
  result: z.looseObject({ latest_version: z.string(), versions: z.record(z.string(), z.json()) }),
});

/** Relays to a stand-in's URL and returns the URL to use instead; ended with the test. */
export async function startNewestOnly(target: string): Promise<string> {
  const versions = `${target.replace(/^ws/, "http").replace(/\/api\/.*$/, "")}/api/versions`;
  const server = createServer(async (_request, response) => {
    const answer = await fetch(versions);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (client, { url = "" }) => {
    const host = new WebSocket(target.replace(/\/api\/.*$/, url));
    const opened = new Promise((resolve) => host.once("open", resolve));
    client.on("message", async (data) => {
      await opened;
      host.send(String(data));
    });
    host.on("message", (data) => client.send(keepNewest(String(data))));
    for (const [one, other] of [[client, host] as const, [host, client] as const]) {
      one.on("close", () => other.close());
      one.on("error", () => other.terminate());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return `ws://127.0.0.1:${port}/api/current`;
}

function keepNewest(text: string): string {
  const details = Details.safeParse(JSON.parse(text));
  if (!details.success) return text;
  const { latest_version: newest, versions } = details.data.result;
  const kept = { ...details.data.result, versions: { [newest]: versions[newest] } };
  return JSON.stringify({ ...details.data, result: kept });
}
