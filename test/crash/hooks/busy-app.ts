/** The app the hooks are busy with: keeps what it is sent, and answers as it is asked to. */
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import type { Ledger } from "./ledger.ts";

export interface BusyApp {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the app on a port of 127.0.0.1; its files lie in `folder`. */
export async function startBusyApp(folder: string, ledger: Ledger): Promise<BusyApp> {
  writeFile(folder, 0);
  const fixed = new Database(join(folder, "fixed.db"));
  fixed.exec(
    "CREATE TABLE names (n INTEGER, name TEXT); INSERT INTO names VALUES (1, 'one'), (2, 'two'), (3, 'three')",
  );
  fixed.close();
  const kept = new Map<string, string>();
  let asked = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://app");
    const { method = "" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (pathname === "/ready") {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end();
      return;
    }
    const name = pathname.split("/").at(-1) ?? "";
    const seen = kept.get(name) ?? "";
    if (name.startsWith("state-")) {
      if (method === "PUT") kept.set(name, body);
    } else {
      ledger.receive(method, name, body);
      if (name.startsWith("files-bump")) writeFile(folder, JSON.parse(body).version);
    }
    await delay(Number(searchParams.get("ms") ?? 0));
    if (searchParams.has("cut")) response.destroy();
    else
      response
        .writeHead(Number(searchParams.get("status") ?? 200), { "content-type": "application/json" })
        .end(JSON.stringify({ name, body: name.startsWith("state-") ? seen : body }));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The app's token, and the same number in its database. */
function writeFile(folder: string, version: number): void {
  writeFileSync(join(folder, "token"), `token ${version}`);
  const db = new Database(join(folder, "app.db"));
  db.exec(`CREATE TABLE IF NOT EXISTS counts (n INTEGER); DELETE FROM counts; INSERT INTO counts VALUES (${version})`);
  db.close();
}
