/** The CLI's token goes over no connection on which the service has not proven itself. */
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { readLockOwner } from "../../../src/adapters/store-sqlite/opening/lock.ts";
import { createApiTasks } from "../../../src/cli/options/api-tasks.ts";
import { createSend } from "../../../src/cli/options/prove-service.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { writeNamed } from "../../../src/files/write-below.ts";
import { proveIdentity } from "../../../src/http/identity.ts";
import { startHttpServer } from "../../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../../support/engine/engine-test.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { endOf, startSlipway } from "../../support/slipway-process.ts";

const TOKEN = "a-token-of-some-length";

function makeFolder() {
  const folder = createTestFolder();
  closeAfterTest({ close: async () => folder.remove() });
  const db = join(folder.path, "slipway.db");
  writeNamed(`${db}.token`, { text: TOKEN, replaces: "nothing", mode: 0o600 });
  return { db };
}

/** A service whose process holds the lock of a database. */
async function serve() {
  const { db } = makeFolder();
  const store = openStore({ file: db });
  closeAfterTest({ close: async () => store.close() });
  const { engine } = await openWorld({ catalog: { a: {} } });
  const lockNonce = readLockOwner(db)?.nonce ?? "";
  expect(lockNonce).not.toBe("");
  const pageFiles = join(dirname(db), "page");
  mkdirSync(pageFiles);
  writeFileSync(join(pageFiles, "index.html"), "<!doctype html><head></head>");
  const options = { address: "127.0.0.1", port: 0, token: TOKEN, lockNonce, logger: SILENT_LOGGER, pageFiles };
  const server = await startHttpServer(engine, options);
  closeAfterTest(server);
  return { db, server, port: Number(new URL(server.url).port) };
}

/** A process of another user; `prove` answers what it is asked for a proof. */
async function steal(host: string, port: number, prove: (path: string, port: number) => Promise<string> | string) {
  const asked: IncomingHttpHeaders[] = [];
  const thief = createServer((request, response) => {
    asked.push(request.headers);
    const { url = "" } = request;
    const answer = url.startsWith("/api/identity") ? prove(url, request.socket.localPort ?? 0) : '{"tasks":[],"seq":0}';
    void Promise.resolve(answer).then((text) => response.end(text));
  }).listen(port, host);
  await once(thief, "listening");
  closeAfterTest({ close: async () => void thief.close().closeAllConnections() });
  const bound = thief.address();
  return { asked, port: typeof bound === "object" ? (bound?.port ?? 0) : 0 };
}

const ask = (api: string, db: string) => createApiTasks(api, createSend({ api, db })).tasks({});

it("a service that holds the lock is asked, and again", async () => {
  const { db, server } = await serve();
  const tasks = createApiTasks(server.url, createSend({ api: server.url, db }));
  expect((await tasks.tasks({})).tasks).toEqual([]);
  expect(await tasks.task("none")).toBeNull();
  await tasks.readNotifications();
});

it("`inspect --api` takes the database by whose lock the service proves itself", async () => {
  const { db, server } = await serve();
  const shown = await endOf(startSlipway(["inspect", db, "--api", server.url]));
  expect(shown).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify({ url: `${server.url}/activity` })}\n` });
});

it("a process that takes the port later gets no token, whatever was proven before", async () => {
  const { db, server, port } = await serve();
  const tasks = createApiTasks(server.url, createSend({ api: server.url, db }));
  expect((await tasks.tasks({})).tasks).toEqual([]);
  await server.close();
  const { asked } = await steal("127.0.0.1", port, () => '{"proof":""}');
  await expect(tasks.tasks({})).rejects.toMatchObject({ code: "CLI_SERVICE_UNPROVEN" });
  expect(asked.map(({ authorization }) => authorization)).toEqual([undefined]);
});

/** A service with the lock of a database that proves itself, and answers each request with this status and header. */
async function answerProof(status: number, connection: string) {
  const { db } = makeFolder();
  const store = openStore({ file: db });
  closeAfterTest({ close: async () => store.close() });
  const nonce = readLockOwner(db)?.nonce ?? "";
  const asked: (string | undefined)[] = [];
  const service = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const challenge = new URL(request.url ?? "", "http://a").searchParams.get("challenge") ?? "";
    const { localAddress: address = "", localPort: port = 0 } = request.socket;
    const proof = status === 200 ? { proof: proveIdentity(nonce, challenge, { address, port }) } : {};
    response.writeHead(status, { connection }).end(JSON.stringify(proof));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  closeAfterTest({ close: async () => void service.close().closeAllConnections() });
  const bound = service.address();
  return { db, asked, api: `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}` };
}

it("a service that closes the connection after its proof gets no token, and the command ends with a code", async () => {
  const { db, asked, api } = await answerProof(200, "close");
  await expect(ask(api, db)).rejects.toMatchObject({
    code: "CLI_API_FAILED",
    cause: expect.objectContaining({ message: expect.stringContaining("closed the connection") }),
  });
  expect(asked).toEqual([undefined]);
});

it("a service that refuses to prove itself so often is not taken for another process", async () => {
  const { db, asked, api } = await answerProof(429, "keep-alive");
  await expect(ask(api, db)).rejects.toMatchObject({ code: "CLI_API_FAILED" });
  expect(asked).toEqual([undefined]);
});

it("a process at another address of the same port gets no token for the proof of the service", async () => {
  const { db, server, port } = await serve();
  const pass = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  const { asked } = await steal("127.0.0.2", port, pass);
  await expect(ask(`http://127.0.0.2:${port}`, db)).rejects.toMatchObject({ code: "CLI_SERVICE_UNPROVEN" });
  expect(asked.map(({ authorization }) => authorization)).toEqual([undefined]);
});

it.each([
  ["that no process holds", 0o600],
  ["that others can read", 0o644],
])("a lock file %s proves nobody: a clone may have brought it", async (_, mode) => {
  const { db } = makeFolder();
  const nonce = "known-to-the-author";
  const lock = new Database(`${db}.lock`);
  lock.exec("CREATE TABLE owner (pid INTEGER, command TEXT, nonce TEXT)");
  lock.prepare("INSERT INTO owner VALUES (1, 'slipway serve', ?)").run(nonce);
  if (mode === 0o600) lock.close();
  else {
    lock.exec("BEGIN IMMEDIATE");
    closeAfterTest({ close: async () => void lock.close() });
  }
  chmodSync(`${db}.lock`, mode);
  const { asked, port } = await steal("127.0.0.1", 0, (path, at) =>
    JSON.stringify({
      proof: proveIdentity(nonce, new URL(path, "http://a").searchParams.get("challenge") ?? "", {
        address: "127.0.0.1",
        port: at,
      }),
    }),
  );
  await expect(ask(`http://127.0.0.1:${port}`, db)).rejects.toMatchObject({ code: "CLI_SERVICE_UNPROVEN" });
  expect(asked).toEqual([]);
});
