/** The client of a request, and the proxies that may name it. */
import { describe, expect, it } from "vitest";
import { countAddress, countClient, readClient } from "../../src/http/client-address.ts";

const SECRET = "a-secret-of-some-length";

describe("a proxy", () => {
  const read = (secret: string | null, headers: Record<string, string | string[]> = {}) =>
    readClient({ headers, socket: { remoteAddress: "172.17.0.3" } }, secret);
  const named = { "x-forwarded-for": "9.9.9.9, 10.0.0.1", "x-forwarded-proto": "https" };

  it("names the client where it sends the secret", () => {
    const proven = { ...named, "x-slipway-proxy": SECRET };
    const client = { address: "10.0.0.1", proxy: "172.17.0.3" };
    expect(read(SECRET, proven)).toEqual({ client, scheme: "https" });
  });

  it.each([undefined, "", "wrong", `${SECRET}x`, SECRET.toUpperCase(), [SECRET, SECRET]])(
    "is believed nothing with %j",
    (secret) => {
      const headers = { ...named, ...(secret !== undefined && { "x-slipway-proxy": secret }) };
      expect(read(SECRET, headers)).toEqual({ client: { address: "172.17.0.3" } });
      expect(read(null, headers)).toEqual({ client: { address: "172.17.0.3" } });
    },
  );

  it("that names nobody, or no scheme there is, says nothing", () => {
    const silent = [{}, { "x-forwarded-for": "", "x-forwarded-proto": "" }, { "x-forwarded-for": "1.1.1.1, " }];
    for (const headers of silent) {
      const { client, scheme } = read(SECRET, { ...headers, "x-slipway-proxy": SECRET });
      expect([client.address, scheme]).toEqual(["172.17.0.3", undefined]);
    }
    const odd = { "x-forwarded-proto": "wss", "x-slipway-proxy": SECRET };
    expect(read(SECRET, odd).scheme).toBeUndefined();
  });

  it.each(["https,http", "HTTPS", " https "])("says with %j that the browser came by https", (proto) => {
    expect(read(SECRET, { "x-forwarded-proto": proto, "x-slipway-proxy": SECRET }).scheme).toBe("https");
  });

  it("is counted beside the client it names, with a hundred times the limit", () => {
    expect(countClient({ address: "10.0.0.1", proxy: "172.17.0.3" })).toEqual([
      { name: "10.0.0.1", times: 1 },
      { name: "proxy 172.17.0.3", times: 100 },
    ]);
    expect(countClient({ address: "10.0.0.1" })).toEqual([{ name: "10.0.0.1", times: 1 }]);
  });
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
    expect(countAddress(address)).toEqual(counted);
  });
});
