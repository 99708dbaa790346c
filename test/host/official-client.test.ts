/** The host's own Python client works unmodified against the stand-in (docs/host-api.md, sections 2 and 3). */
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { GENERATIONS, type HostGeneration } from "../../src/standin/settings.ts";
import { JELLYFIN, startStandin } from "../support/engine/standin-client.ts";
import { ClientException, OfficialClient } from "../support/host/official-client.ts";

async function connect(
  generation: HostGeneration,
): Promise<{ client: OfficialClient; username: string; apiKey: string }> {
  const { url, username, apiKey } = await startStandin({ generation });
  const client = await OfficialClient.connect(url);
  onTestFinished(() => client.close());
  return { client, username, apiKey };
}

async function logIn(generation: HostGeneration): Promise<OfficialClient> {
  const { client, username, apiKey } = await connect(generation);
  await client.loginWithApiKey(username, apiKey);
  return client;
}

/** The exception a call ends with. */
async function raised(call: Promise<unknown>): Promise<Pick<ClientException, "message" | "errno" | "extra">> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClientException)) throw new Error(`no ClientException: ${String(error)}`);
  return { message: error.message, errno: error.errno, extra: error.extra };
}

describe.each(GENERATIONS)("%s", (generation) => {
  test("ping, login, the account and plain calls", async () => {
    const { client, username, apiKey } = await connect(generation);
    expect(await client.call("core.ping")).toBe("pong");
    expect(await raised(client.call("auth.me"))).toMatchObject({ errno: 207 });
    await client.loginWithApiKey(username, apiKey);
    expect(await client.call("auth.me")).toMatchObject({ pw_name: username });
    expect(await client.call("filesystem.stat", "/mnt/tank")).toMatchObject({ type: "DIRECTORY" });
  });

  test("a wrong key is refused", async () => {
    const { client, username } = await connect(generation);
    expect(await raised(client.loginWithApiKey(username, "1-wrong"))).toMatchObject({ errno: 13 });
  });

  test("errors are exceptions with errno, reason and the findings about arguments", async () => {
    const client = await logIn(generation);
    expect(await raised(client.call("filesystem.stat", "/mnt/tank/none"))).toMatchObject({ errno: 2 });
    expect(await raised(client.call("filesystem.stat"))).toMatchObject({
      errno: 22,
      extra: [["path", "Field required", 22]],
    });
    expect(await raised(client.call("no.such"))).toMatchObject({ message: "Method does not exist" });
  });

  test("job=True waits for the result, and its callback sees every step", async () => {
    const client = await logIn(generation);
    const percents: (number | null)[] = [];
    const result = await client.callJob("app.create", [JELLYFIN], ({ progress }) => percents.push(progress.percent));
    expect(result).toMatchObject({ id: "jellyfin", state: "DEPLOYING" });
    expect([...new Set(percents)]).toEqual([0, 25, 60, 100]);
    expect(await raised(client.callJob("app.create", [JELLYFIN]))).toMatchObject({
      message: "[EEXIST] Application with name jellyfin already exists",
      errno: 17,
    });
  });

  test('job="RETURN" hands a job out whose result is asked for later', async () => {
    const client = await logIn(generation);
    const job = await client.returnJob("app.create", [JELLYFIN]);
    expect(await client.call("core.ping")).toBe("pong");
    expect(await job.result()).toMatchObject({ id: "jellyfin" });
    const refused = await client.returnJob("app.create", [{ app_name: "Bad Name" }]);
    expect(z.array(z.json()).parse((await raised(refused.result())).extra).length).toBeGreaterThan(0);
  });

  test("core.job_wait is a job that ends with the result of the other", async () => {
    const client = await logIn(generation);
    await client.callJob("app.create", [JELLYFIN]);
    const created = z
      .array(z.object({ id: z.int() }))
      .parse(await client.call("core.get_jobs", [["method", "=", "app.create"]]));
    expect(await client.callJob("core.job_wait", [created[0]?.id ?? 0])).toMatchObject({ id: "jellyfin" });
  });

  test("a subscription brings the events of its collection until it is ended", async () => {
    const client = await logIn(generation);
    const seen: string[] = [];
    const id = await client.subscribe("app.query", ({ msg, id: app }) => seen.push(`${msg} ${String(app)}`));
    await client.callJob("app.create", [JELLYFIN]);
    expect(seen[0]).toBe("added jellyfin");
    expect(seen).toContain("changed jellyfin");
    await client.unsubscribe(id);
    const before = seen.length;
    await client.callJob("app.delete", ["jellyfin"]);
    expect(seen).toHaveLength(before);
  });

  test("core.bulk runs one after another, and a failure is a row", async () => {
    const client = await logIn(generation);
    const texts: (string | null)[] = [];
    const rows = await client.callJob(
      "core.bulk",
      ["filesystem.mkdir", [[{ path: "/mnt/tank/one" }], [{ path: "/mnt/tank/one" }]], "Making a folder"],
      ({ progress }) => texts.push(progress.description),
    );
    expect(rows).toMatchObject([
      { job_id: null, error: null, result: { path: "/mnt/tank/one" } },
      { job_id: null, error: expect.stringContaining("EEXIST"), result: null },
    ]);
    expect(texts).toContain("1 / 2: Making a folder");
    const jobs = await client.callJob("core.bulk", ["app.stop", [["none"], ["none"]]]);
    const Rows = z.array(z.object({ job_id: z.int(), error: z.string().nullable() }));
    expect(Rows.parse(jobs).map(({ job_id }) => job_id)).toEqual([3, 4]);
    expect(await raised(client.callJob("core.bulk", ["no.such", [[]]]))).toMatchObject({ errno: 201 });
  });
});
