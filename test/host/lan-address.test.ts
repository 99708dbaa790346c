/** Which address of the host is `$SERVER_LAN_IP`: the pure choice, and what it is on a stand-in that plays each case. */
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHostRpc } from "../../src/adapters/host-rpc/create-host-rpc.ts";
import { chooseLanAddress } from "../../src/adapters/host-rpc/lan-address.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import type { StandinNetwork } from "../../src/standin/settings.ts";
import { startStandin } from "../support/engine/standin-client.ts";
import { recordingClock } from "../support/host/host-client.ts";

const LAN = "192.168.1.20";
const ULA = "fd00::20";

describe("the LAN address", () => {
  it.each<[what: string, reached: string | null, inUse: string[], expected: string | null]>([
    ["is the one reached", LAN, ["10.0.0.7", LAN], LAN],
    ["is the one reached, a public one too", "8.8.4.4", [LAN, "8.8.4.4"], "8.8.4.4"],
    ["is not loopback, for an engine on the host", "127.0.0.1", [LAN], LAN],
    ["is not loopback, even if an interface has it", "127.0.0.1", ["127.0.0.1", LAN], LAN],
    ["is not a container bridge, for an engine in a container", "172.17.0.1", [LAN], LAN],
    ["is not a tunnel's", "100.100.1.1", [LAN], LAN],
    ["is not link-local", "169.254.1.1", ["169.254.1.1", LAN], LAN],
    ["is IPv4 although the session came over IPv6", ULA, [ULA, LAN], LAN],
    ["is IPv4 although the session came over link-local IPv6", "fe80::1%eth0", [LAN], LAN],
    ["is the IPv4 address a socket of both families shows", `::ffff:${LAN}`, ["10.0.0.7", LAN], LAN],
    ["is the first in use if the reached one is unknown", null, ["10.0.0.7", LAN], "10.0.0.7"],
    ["is a private one before a shared and a public one", "", ["8.8.4.4", "100.64.0.9", LAN], LAN],
    ["is a shared one before a public one", null, ["8.8.4.4", "100.64.0.9"], "100.64.0.9"],
    ["is the reached IPv6 address on a host without IPv4", "2001:4860::8", [ULA, "2001:4860::8"], "2001:4860::8"],
    ["is a private IPv6 address before a public one", "::1", ["2001:4860::8", ULA], ULA],
    ["is in its shortest spelling", null, ["FD00:0:0:0:0:0:0:20"], ULA],
    ["is none where the host lists none", LAN, [], null],
    ["is none where the host lists only link-local ones", "fe80::1", ["fe80::1", "169.254.0.9"], null],
    ["is none where nothing it lists is an address", null, ["", "nas.local", "0.0.0.0", "224.0.0.1"], null],
  ])("%s", (_what, reached, inUse, expected) => {
    expect(chooseLanAddress({ reached, inUse }, false)).toBe(expected);
  });

  it("is a stand-in's loopback address, only for one that is vouched for, and only without another", () => {
    const own = "127.8.8.8";
    expect(chooseLanAddress({ reached: own, inUse: [own] }, true)).toBe(own);
    expect(chooseLanAddress({ reached: "127.0.0.1", inUse: [own, LAN] }, true)).toBe(LAN);
    expect(chooseLanAddress({ reached: own, inUse: [own] }, false)).toBeNull();
  });

  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom("127.0.0.1", "::1", "fe80::1", "172.17.0.1", "10.0.0.1", LAN, ULA, "", "no address"),
  );

  it("is one of those in use, never loopback, link-local or multicast, and IPv4 if one is usable", () => {
    fc.assert(
      fc.property(fc.option(address), fc.array(address), (reached, inUse) => {
        const found = chooseLanAddress({ reached, inUse }, false);
        const spelt = inUse.map((one) => URL.parse(`http://${one.includes(":") ? `[${one}]` : one}/`)?.hostname);
        if (found === null) return;
        expect(found).not.toMatch(/^(127\.|169\.254\.|0\.|22[4-9]\.|23\d\.|fe[89ab]|ff|::1$)/);
        expect(spelt.map((one) => one?.replace(/^\[|\]$/g, ""))).toContain(found);
        if (inUse.includes(LAN)) expect(found).not.toContain(":");
      }),
    );
  });

  it("does not depend on addresses of lower rank, or on their place", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(["127.0.0.1", "fe80::1", "8.8.4.4", "100.64.0.9", ULA]),
        fc.nat(5),
        (more, at) => {
          expect(chooseLanAddress({ reached: "172.17.0.1", inUse: more.toSpliced(at, 0, LAN) }, false)).toBe(LAN);
        },
      ),
    );
  });
});

describe("on a stand-in", () => {
  const BRIDGE = "172.16.1.1";

  async function open(network?: StandinNetwork) {
    const standin = await startStandin({ ...(network && { network }) });
    const host = createHostRpc({
      url: standin.url,
      username: standin.username,
      apiKey: standin.apiKey,
      trustPlaintext: true,
      locations: {},
      clock: recordingClock(),
      logger: SILENT_LOGGER,
    });
    onTestFinished(() => host.close());
    return { standin, host };
  }

  it.each<[what: string, network: StandinNetwork, expected: string]>([
    ["reached through localhost", { reached: "127.0.0.1", inUse: [LAN] }, LAN],
    ["reached from a container", { reached: BRIDGE, inUse: [LAN, ULA] }, LAN],
    ["reached over IPv6", { reached: ULA, inUse: [ULA, LAN] }, LAN],
    ["without IPv4", { reached: ULA, inUse: ["fe80::1", ULA] }, ULA],
  ])("%s the facts name %j as %s", async (_what, network, expected) => {
    const { host } = await open(network);
    expect((await host.facts()).lanIp).toBe(expected);
  });

  it("without a LAN the facts are refused with what the host has", async () => {
    const { host } = await open({ reached: "127.0.0.1", inUse: ["169.254.7.7"] });
    await expect(host.facts()).rejects.toMatchObject({
      code: "HOST_CALL_FAILED",
      fault: { reason: expect.stringContaining("169.254.7.7") },
    });
  });

  it("a changed address counts at the next question", async () => {
    const { standin, host } = await open();
    expect((await host.facts()).lanIp).toBe(standin.lanIp);
    standin.control.setNetwork({ reached: BRIDGE, inUse: ["10.0.0.7"] });
    expect((await host.facts()).lanIp).toBe("10.0.0.7");
    expect(await host.addresses()).toEqual(["10.0.0.7"]);
  });
});
