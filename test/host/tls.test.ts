import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HostTls } from "../../src/adapters/host-rpc/tls.ts";
import { openClient } from "../support/host/host-client.ts";
import { startWireHost, type WireHost } from "../support/host/wire-host.ts";

/** Self-made, for 127.0.0.1 and localhost, valid for a hundred years; the key is known to everybody. */
const CERT = readFileSync(new URL("fixtures/host-cert.pem", import.meta.url), "utf8");
const KEY = readFileSync(new URL("fixtures/host-key.pem", import.meta.url), "utf8");
const FINGERPRINT = new X509Certificate(CERT).fingerprint256;

describe("TLS", () => {
  let host: WireHost;
  beforeEach(async () => {
    host = await startWireHost({ tls: { key: KEY, cert: CERT } });
    host.on("app.used_ports", (call) => call.result([443]));
  });
  afterEach(() => host.stop());

  async function usedPorts(tls?: HostTls, url = host.url): Promise<unknown> {
    const client = openClient(url, { trustPlaintext: false, ...(tls !== undefined && { tls }) });
    return client
      .usedPorts()
      .catch((error: unknown) => error)
      .finally(() => client.close());
  }

  test.each<[string, () => HostTls]>([
    ["its CA", () => ({ ca: CERT })],
    ["its fingerprint with colons", () => ({ fingerprint: FINGERPRINT })],
    [
      "its fingerprint in lower case without colons",
      () => ({ fingerprint: FINGERPRINT.replaceAll(":", "").toLowerCase() }),
    ],
    ["the insecure switch", () => ({ insecure: true })],
  ])("a self-signed host is reached with %s", async (_, trust) => {
    expect(await usedPorts(trust())).toEqual([443]);
  });

  test.each<[string, HostTls | undefined]>([
    ["no trust given", undefined],
    ["another fingerprint", { fingerprint: "00".repeat(32) }],
  ])("with %s it is refused, and not a word is sent", async (_, trust) => {
    expect(await usedPorts(trust)).toMatchObject({
      code: "HOST_TLS_UNTRUSTED",
      delivery: "no",
      fault: { retryable: false },
    });
    expect(host.connections()).toBe(0);
  });

  test.each<[string, HostTls]>([
    ["a fingerprint of 40 digits (SHA-1)", { fingerprint: "ab".repeat(20) }],
    ["a fingerprint with another letter", { fingerprint: FINGERPRINT.replace(/.$/, "g") }],
    ["an empty fingerprint", { fingerprint: "" }],
    ["a CA that is no PEM", { ca: "/etc/ssl/ca.pem" }],
    ["an empty CA", { ca: "" }],
  ])("%s is refused before anything is asked", (_, tls) => {
    expect(() => openClient(host.url, { trustPlaintext: false, tls })).toThrow(
      expect.objectContaining({ code: "HOST_TRUST_INVALID", delivery: "no" }),
    );
  });

  test("a CA does not vouch for another name", async () => {
    const url = host.url.replace("127.0.0.1", "127.0.0.2");
    const error = await usedPorts({ ca: CERT }, url);
    expect(error).toMatchObject({ delivery: "no" });
    expect(host.connections()).toBe(0);
  });

  test("the fingerprint is checked on the socket too, when the address names the version", async () => {
    const pinned = `${host.url}/api/v25.10.5`;
    expect(await usedPorts({ fingerprint: FINGERPRINT }, pinned)).toEqual([443]);
    expect(await usedPorts({ fingerprint: "00".repeat(32) }, pinned)).toMatchObject({ code: "HOST_TLS_UNTRUSTED" });
    expect(host.connections()).toBe(1);
  });
});
