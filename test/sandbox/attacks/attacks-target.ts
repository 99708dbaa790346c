/** What attacks are aimed at: a real HTTP server on loopback, a mount with traps, a resolver that lies. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import type { Mount, NetworkPolicy, ScriptIo } from "../../../sandbox/contract.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";

const MB = 1024 * 1024;

export interface Target {
  readonly scriptIo: ScriptIo;
  readonly context: JsonObject;
  readonly network: NetworkPolicy;
  readonly mounts: readonly Mount[];
  close(): Promise<void>;
}

export async function openTarget(): Promise<Target> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-attack-")));
  const mount = await makeMount(folder);
  const other = await serve((request, response) => response.end(JSON.stringify(request.headers)));
  const server = await serve((request, response) => answer(request, response, portOf(other)));
  const port = portOf(server);
  const mounts = [{ hostPath: "/mnt/tank/app", containerPath: "/config", localPath: mount, location: mount }];
  let flips = 0;
  return {
    scriptIo: createScriptIo({
      loopback: true,
      network: {
        resolve: async (name) => {
          if (name === "rebind.test") return ["127.0.0.2"];
          // TEST-NET is not routed: the first answer passes as public in no list, the second is loopback
          if (name === "flip.test") return [flips++ === 0 ? "192.0.2.1" : "127.0.0.2"];
          throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
        },
        ownAddresses: () => [],
        ownPorts: () => [],
      },
    }),
    context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: `http://127.0.0.1:${port}`, mounts },
    network: {
      lanIp: "127.0.0.1",
      lanPorts: async () => [port, portOf(other)],
      internet: true,
      readOnly: false,
    },
    mounts,
    close: async () => {
      for (const each of [server, other]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeMount(folder: string): Promise<string> {
  const mount = join(folder, "app");
  await mkdir(join(mount, "many"), { recursive: true });
  await mkdir(`${mount}-beside`);
  await writeFile(join(`${mount}-beside`, "secret"), "secret");
  await writeFile(join(mount, "a.txt"), "inside");
  await writeFile(join(mount, "big.bin"), Buffer.alloc(5 * MB));
  await writeFile(join(mount, "three.bin"), Buffer.alloc(3 * MB));
  await symlink("/etc/passwd", join(mount, "passwd"));
  await symlink("/etc", join(mount, "etc"));
  await symlink("/proc/self", join(mount, "self"));
  execFileSync("mkfifo", [join(mount, "fifo")]);
  for (let i = 0; i <= 5_000; i++) await writeFile(join(mount, "many", String(i)), "");
  const database = new DatabaseSync(join(mount, "x.db"));
  database.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  database.close();
  return mount;
}

function answer(request: IncomingMessage, response: ServerResponse, otherPort: number): void {
  const url = new URL(request.url ?? "/", "http://target");
  request.resume();
  switch (url.pathname) {
    case "/to":
      response.writeHead(302, { location: url.searchParams.get("u") ?? "/" }).end();
      return;
    case "/other":
      response.writeHead(302, { location: `http://127.0.0.1:${otherPort}/` }).end();
      return;
    case "/circle":
      response.writeHead(302, { location: "/circle" }).end();
      return;
    case "/echo":
      response.end(JSON.stringify(request.headers));
      return;
    case "/big":
      response.end(Buffer.alloc(20 * MB));
      return;
    case "/half":
      response.end(Buffer.alloc(4 * MB));
      return;
    case "/bomb":
      response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
      return;
    case "/drip":
      response.write("x");
      return;
    case "/hang":
      return;
    default:
      response.end("ok");
  }
}

const BOMB = gzipSync(Buffer.alloc(64 * MB));

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
