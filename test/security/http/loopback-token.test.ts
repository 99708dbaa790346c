/** On a machine of several users a loopback port is everybody's: `serve` asks for a token only its owner can read. */
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { findToken } from "../../../src/cli/options/api-token.ts";
import { rawApp } from "../../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  errorOf,
  type SlipwayProcess,
  slipway,
  startSlipway,
  untilOutput,
} from "../../support/slipway-process.ts";

const folder = createSlipwayFolder({ "plain.json": rawApp("plain", {}) });
const tokenFile = `${folder.db}.token`;
const elsewhere = join(folder.path, "elsewhere");

async function serve(
  ...options: readonly string[]
): Promise<{ readonly child: SlipwayProcess; readonly url: string; readonly tokenFile?: string }> {
  const child = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0", ...options]);
  const line = (await untilOutput(child, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "";
  return {
    child,
    ...z.strictObject({ url: z.string(), tokenFile: z.string().exactOptional() }).parse(JSON.parse(line)),
  };
}

async function stop(child: SlipwayProcess): Promise<void> {
  child.kill("SIGTERM");
  expect((await endOf(child)).exitCode).toBe(0);
}

beforeAll(async () => {
  await folder.standin();
  mkdirSync(elsewhere);
});
afterAll(() => folder.remove());

describe("serve on loopback", () => {
  let child: SlipwayProcess;
  let url: string;

  beforeAll(async () => {
    // What somebody else, or a run that was killed, may have left there.
    writeFileSync(join(elsewhere, "target"), "not to be written");
    symlinkSync(join(elsewhere, "target"), tokenFile);
    const ready = await serve();
    [child, url] = [ready.child, ready.url];
    expect(ready.tokenFile).toBe(tokenFile);
  });

  it.each([
    ["GET", "apps"],
    ["GET", "tasks"],
    ["GET", "events"],
    ["GET", "health"],
    ["GET", "openapi.json"],
    ["GET", "apps/plain/form?mode=options"],
    ["POST", "apps/plain/install"],
    ["POST", "catalog/sync"],
    ["GET", "nothing-here"],
  ])("answers %s %s to nobody without the token", async (method, path) => {
    for (const authorization of ["", "Bearer ", "Bearer wrong-wrong-wrong-wrong"]) {
      const response = await fetch(`${url}/api/${path}`, { method, headers: { authorization } });
      expect(await response.json()).toMatchObject({ status: 401, code: "HTTP_UNAUTHORIZED" });
    }
  });

  it("writes the token for its owner alone, in place of what lay there", () => {
    const { mode } = lstatSync(tokenFile);
    expect((mode & 0o170777).toString(8)).toBe("100600");
    expect(readFileSync(tokenFile, "utf8").trim()).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(join(elsewhere, "target"), "utf8")).toBe("not to be written");
  });

  it("is called by the commands of its owner, who find the token beside the database", async () => {
    const { exitCode, stdout } = await slipway("tasks", "--api", url, "--db", folder.db, "--format", "json");
    expect({ exitCode, document: JSON.parse(stdout) }).toEqual({ exitCode: 0, document: { tasks: [] } });
    const options = ["--api", url, "--token-file", tokenFile, "--format", "json"];
    expect((await slipway("tasks", ...options, "--db", folder.db)).exitCode).toBe(0);
    const without = await slipway("tasks", "--api", url, "--db", join(elsewhere, "none.db"), "--format", "json");
    expect(errorOf(without).code).toBe("HTTP_UNAUTHORIZED");
  });

  it.each([
    ["others can read", () => chmodSync(join(elsewhere, "token"), 0o644), "is open to others"],
    ["the group can write", () => chmodSync(join(elsewhere, "token"), 0o620), "is open to others"],
    ["is a link", () => symlinkSync(tokenFile, join(elsewhere, "link")), "is a link"],
    ["is a folder", () => mkdirSync(join(elsewhere, "folder")), "is not a file"],
  ])("is called with no token of a file that %s", async (_, arrange, fault) => {
    writeFileSync(join(elsewhere, "token"), readFileSync(tokenFile), { mode: 0o600 });
    arrange();
    const name = fault === "is a link" ? "link" : fault === "is not a file" ? "folder" : "token";
    const refused = await slipway("tasks", "--api", url, "--token-file", join(elsewhere, name), "--format", "json");
    expect(errorOf(refused)).toMatchObject({ code: "CLI_FILE_INVALID", message: expect.stringContaining(fault) });
    const served = await slipway("serve", ...folder.engine, "--token-file", join(elsewhere, name));
    expect(served.stderr).toContain("error CLI_FILE_INVALID");
  });

  it("gets no token where it is not the owner of the database: another process may have its port", async () => {
    const asked: IncomingHttpHeaders[] = [];
    // Passes the request for a proof on to the real one, and answers what that answers.
    const thief = createServer((request, response) => {
      asked.push(request.headers);
      const { host: _, ...headers } = request.headers;
      fetch(`${url}${request.url}`, { headers: Object.entries(headers).map(([name, value]) => [name, String(value)]) })
        .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
        .catch((error: unknown) => response.writeHead(500).end(String(error)));
    }).listen(0, "127.0.0.1");
    await once(thief, "listening");
    const bound = thief.address();
    const stolen = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    const refused = await slipway("tasks", "--api", stolen, "--db", folder.db, "--format", "json");
    const named = ["--token-file", tokenFile, "--db", join(elsewhere, "none.db"), "--format", "json"];
    const unknown = await slipway("tasks", "--api", url, ...named);
    thief.close();
    expect([errorOf(refused).code, errorOf(unknown).code]).toEqual(["CLI_SERVICE_UNPROVEN", "CLI_SERVICE_UNPROVEN"]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.authorization).toBeUndefined();
  });

  it("takes its token away when it ends", async () => {
    await stop(child);
    expect(existsSync(tokenFile)).toBe(false);
  });
});

it("a token that was found, not named, is for this machine only", () => {
  writeFileSync(tokenFile, "a-token-of-an-earlier-run\n", { mode: 0o600 });
  for (const api of ["http://127.0.0.1:9", "http://[::1]:9/api", "https://localhost"]) {
    expect(findToken({ api, db: folder.db })).toBe("a-token-of-an-earlier-run");
  }
  for (const api of [
    "http://nas.invalid:9",
    "http://127.0.0.1.invalid",
    "http://127.0.0.1@nas.invalid",
    "http://192.0.2.1",
  ]) {
    expect(findToken({ api, db: folder.db })).toBeNull();
  }
});

it("serve --no-token asks nobody, on loopback only", async () => {
  const { child, url, ...ready } = await serve("--no-token");
  expect(ready).toEqual({});
  expect((await fetch(`${url}/api/tasks`)).status).toBe(200);
  await stop(child);
  const open = await slipway("serve", ...folder.engine, "--listen", "0.0.0.0:0", "--no-token");
  expect(open.stderr).toContain("error HTTP_TOKEN_REQUIRED");
});
