/** Whom a request is said to come from, and who is believed. */
import { describe, expect, it } from "vitest";
import { listCounted, readClient, readProxies, type TrustedProxies } from "../../src/http/client-address.ts";

describe("a proxy", () => {
  const read = (trusted: TrustedProxies, remoteAddress: string, headers: Record<string, string> = {}) =>
    readClient({ headers, socket: { remoteAddress } }, readProxies(trusted));
  const named = { "x-forwarded-for": "9.9.9.9, 10.0.0.1", "x-forwarded-proto": "https" };

  it("names the client where it is trusted: on this machine, or at what is named", () => {
    const trust: readonly (readonly [TrustedProxies, string, boolean])[] = [
      [true, "127.0.0.1", true],
      [true, "::ffff:127.0.0.2", true],
      [true, "::1", true],
      [true, "192.168.1.7", false],
      [false, "127.0.0.1", false],
      [["172.17.0.0/16", "fd00::/8"], "172.17.0.3", true],
      [["172.17.0.0/16", "fd00::/8"], "::ffff:172.17.0.3", true],
      [["172.17.0.0/16", "fd00::/8"], "fd12::1", true],
      [["172.17.0.0/16", "fd00::/8"], "127.0.0.1", false],
      [["192.168.1.9"], "192.168.1.90", false],
      [true, "", false],
    ];
    for (const [trusted, peer, isBelieved] of trust) {
      const client = isBelieved ? { address: "10.0.0.1", scheme: "https" } : { address: peer };
      expect([trusted, read(trusted, peer, named)]).toEqual([trusted, client]);
    }
  });

  it("that names nobody, or no scheme there is, says nothing", () => {
    const silent = [{}, { "x-forwarded-for": "", "x-forwarded-proto": "" }, { "x-forwarded-for": "1.1.1.1, " }];
    for (const headers of silent) expect(read(true, "127.0.0.1", headers)).toEqual({ address: "127.0.0.1" });
    expect(read(true, "127.0.0.1", { "x-forwarded-proto": "wss" }).scheme).toBeUndefined();
  });

  it.each(["https,http", "HTTPS", " https "])("says with %j that the browser came by https", (proto) => {
    expect(read(true, "127.0.0.1", { "x-forwarded-proto": proto }).scheme).toBe("https");
  });

  it.each(["nas", "10.0.0.1/33", "fd00::/129", "10.0.0.1/", "/8", "", "fe80::1%eth0", "fe80::%1/64"])(
    "is not named by %j",
    (named) => {
      expect(() => readProxies([named])).toThrow("is neither an address nor a network");
    },
  );
});

describe("an address is counted as itself and as its network", () => {
  it.each([
    ["192.168.1.5", "192.168.1.5"],
    ["::ffff:192.168.1.5", "192.168.1.5"],
    ["::FFFF:c0a8:105", "192.168.1.5"],
    ["fd00:1:2:3:4:5:6:7", "fd00:1:2:3:4:5:6:7", "fd00:1:2:3::/64"],
    ["fd00:1:2:3::", "fd00:1:2:3:0:0:0:0", "fd00:1:2:3::/64"],
    ["FD00:1:2:0003:ffff::1.2.3.4", "fd00:1:2:3:ffff:0:102:304", "fd00:1:2:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0:0:0:0:1", "0:0:0:0::/64"],
    ["nobody", "nobody"],
    ["", ""],
  ])("%s", (address, ...names) => {
    const counted = names.map((name, at) => ({ name, times: at === 0 ? 1 : 10 }));
    expect(listCounted(address)).toEqual(counted);
  });
});
