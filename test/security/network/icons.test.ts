/** An icon's address and content are an author's: neither opens a way in, and neither holds anybody up. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NetworkPorts } from "../../../src/adapters/network-policy/decide-hop.ts";
import { createIcons, type IconsOptions } from "../../../src/adapters/network-policy/icons.ts";
import type { IconPlace } from "../../../src/engine/ports/icons.ts";
import { readIconPlace } from "../../../src/engine/surfaces/icons/app-icons.ts";
import { findIconType } from "../../../src/engine/surfaces/icons/icon-type.ts";
import { startLoopbackServer } from "../../support/host/loopback-server.ts";
import { PICTURES } from "../../support/pictures.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"/>`;

/** Names lead where the test says; the machine itself is at a public-looking address. */
function network(names: Readonly<Record<string, readonly string[]>>): NetworkPorts & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      asked.push(name);
      return names[name] ?? [];
    },
    ownAddresses: () => ["93.184.216.34"],
    ownPorts: () => [],
  };
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = await startLoopbackServer(answer);
  onTestFinished(() => server.close());
  return server;
}

/** Reads a picture; a refusal comes back as its words. */
async function read(place: IconPlace | string, options: IconsOptions, hostAddresses: readonly string[] = []) {
  const asked: IconPlace = typeof place === "string" ? { kind: "address", address: place } : place;
  try {
    return Buffer.from(await createIcons(options).read(asked, hostAddresses, new AbortController().signal));
  } catch (error) {
    expect(error).toMatchObject({ code: "ICON_UNREADABLE" });
    return error instanceof Error ? error.message : "";
  }
}

describe("an icon's address", () => {
  it.each([
    ["loopback", "http://127.0.0.1/a.svg"],
    ["loopback in other words", "http://0x7f.1/a.svg"],
    ["loopback of IPv6", "http://[::1]/a.svg"],
    ["loopback inside IPv6", "http://[::ffff:127.0.0.1]/a.svg"],
    ["the LAN", "http://192.168.1.10/a.svg"],
    ["a private network", "https://10.0.0.1/a.svg"],
    ["the cloud's metadata", "http://169.254.169.254/latest/meta-data"],
    ["this machine's public address", "http://93.184.216.34/a.svg"],
    ["the host's public address", "http://198.41.0.4/a.svg"],
    ["a name that leads to loopback", "http://loop.test/a.svg"],
    ["a name that leads to the metadata", "http://meta.test/a.svg"],
    ["a name of which one address is private", "http://lan.test/a.svg"],
    ["a port beside 80 and 443", "http://8.8.8.8:8080/a.svg"],
    ["a user name", "http://user:word@8.8.8.8/a.svg"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:image/svg+xml,<svg/>"],
    ["another scheme", "ftp://8.8.8.8/a.svg"],
    ["no URL", "http://"],
    ["an address without end", `http://8.8.8.8/${"a".repeat(3_000)}`],
  ])("at %s is refused", async (_, address) => {
    const names = network({
      "loop.test": ["127.0.0.1"],
      "meta.test": ["169.254.169.254"],
      "lan.test": ["10.1.2.3", "192.168.0.1"],
    });
    // Much less than a connection to an address that drops everything would take.
    expect(await read(address, { network: names, exchangeMs: 5_000 }, ["198.41.0.4"])).not.toMatch(/no whole answer/);
  });

  it("on loopback is not connected to", async () => {
    const server = await serve((_, response) => response.end(SVG));
    await read(server.url, {});
    await read(server.url.replace("127.0.0.1", "localhost"), {});
    expect(server.connections()).toBe(0);
  });

  it("is followed to no place it could not name itself, hop by hop", async () => {
    const inner = await serve((_, response) => response.end(SVG));
    let location = "";
    const outer = await serve((request, response) => {
      if (request.url === "/there.svg") response.end(SVG);
      else response.writeHead(302, { location }).end();
    });
    for (const target of [inner.url, "http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd", outer.url]) {
      location = target;
      expect([target, await read(`${outer.url}/`, { loopback: true, network: network({}) })]).toEqual([
        target,
        expect.any(String),
      ]);
    }
    expect(inner.connections()).toBe(0);
    location = "/there.svg";
    expect(String(await read(`${outer.url}/`, { loopback: true }))).toBe(SVG);
  });

  it("is asked with nothing that tells who asks", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const server = await serve(({ headers }, response) => {
      seen.push(headers);
      response.end(SVG);
    });
    await read(server.url, { loopback: true });
    const { "user-agent": agent, ...told } = seen[0] ?? {};
    expect(agent).toBe("undici");
    expect(Object.keys(told).filter((name) => /cookie|auth|referer|origin|^x-/.test(name))).toEqual([]);
  });
});

describe("what an address answers", () => {
  it("without end is cut at 256 KB", async () => {
    const gone = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on("drain", more).on("close", gone.resolve);
      more();
    });
    expect(await read(server.url, { loopback: true })).toContain("262144 bytes");
    await gone.promise;
  });

  it("packed is cut by what comes out of it", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const server = await serve((_, response) => response.setHeader("content-encoding", "gzip").end(bomb));
    expect(await read(server.url, { loopback: true })).toContain("262144 bytes");
  });

  it.each([
    ["says nothing", () => {}],
    ["never ends", (response: ServerResponse) => void response.write("<svg>")],
  ])("is given up in time where it %s", async (_, begin) => {
    const server = await serve((__, response) => begin(response));
    expect(await read(server.url, { loopback: true, exchangeMs: 200 })).toContain("no whole answer within 0.2 s");
  });

  it("other than 200 is no picture", async () => {
    const server = await serve((_, response) => response.writeHead(404).end(SVG));
    expect(await read(server.url, { loopback: true })).toContain("answered with 404");
  });
});

describe("an icon's path", () => {
  it("leads to regular files below the catalog, and to nothing else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-icons-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const root = join(folder, "catalog");
    mkdirSync(join(root, "images"), { recursive: true });
    writeFileSync(join(folder, "secret.svg"), SVG);
    writeFileSync(join(root, "images", "a.svg"), SVG);
    writeFileSync(join(root, "large.svg"), `${SVG}${" ".repeat(256 * 1024)}`);
    symlinkSync(join(folder, "secret.svg"), join(root, "linked.svg"));
    symlinkSync(folder, join(root, "up"));
    symlinkSync("images/a.svg", join(root, "inside.svg"));
    execFileSync("mkfifo", [join(root, "pipe.svg")]);
    const at = (path: string) => read({ kind: "file", root, path }, {});
    expect(String(await at("images/a.svg"))).toBe(SVG);
    expect(String(await at("inside.svg"))).toBe(SVG);
    for (const path of [
      "../secret.svg",
      "linked.svg",
      "up/secret.svg",
      "pipe.svg",
      "images",
      "large.svg",
      "none.svg",
    ]) {
      expect([path, await at(path)]).toEqual([path, expect.stringContaining("can't be read")]);
    }
  });

  it("is the script's to name, never the host's, and never outside", () => {
    expect(readIconPlace("a.svg", "/catalog")).toEqual({ kind: "file", root: "/catalog", path: "a.svg" });
    for (const icon of ["../a.svg", "/etc/passwd", "a/../../b", "C:\\a.svg", "//host/a.svg", "", "a".repeat(2_049)]) {
      expect([icon, readIconPlace(icon, "/catalog")?.kind ?? null]).not.toEqual([icon, "file"]);
    }
    expect(readIconPlace("a.svg", null)).toBeNull();
  });
});

describe("the kind of a picture", () => {
  const kindOf = (text: string) => findIconType(Buffer.from(text, "utf8"));

  it("is told by content", () => {
    expect(findIconType(PICTURES.png)).toBe("image/png");
    expect(findIconType(PICTURES.jpeg)).toBe("image/jpeg");
    expect(findIconType(PICTURES.webp)).toBe("image/webp");
    const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`;
    expect(kindOf(`\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n${doctype}\n<svg\nwidth="1"/>`)).toBe(
      "image/svg+xml",
    );
  });

  it.each([
    ["nothing", ""],
    ["a page", "<html><svg/></html>"],
    ["a page after a comment", "<!--<svg>--><script>alert(1)</script>"],
    ["a page that names an svg first", "<svgx><svg/></svgx>"],
    ["text", "svg"],
    ["a prolog without end", "<!-- <svg>"],
    ["a bomb of entities", `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>`],
    ["a document type of a page", "<!DOCTYPE html><html></html>"],
    ["another picture", "GIF89a"],
    ["a file of secrets", "root:x:0:0:root:/root:/bin/bash"],
  ])("of %s is none", (_, text) => {
    expect(kindOf(text)).toBeNull();
  });

  it("of bytes that are no UTF-8 is no SVG, and of no bytes it takes long to say", () => {
    expect(findIconType(Buffer.concat([Buffer.from("<svg/>"), Buffer.from([0xff])]))).toBeNull();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<!--", "-->", "<?", "?>", "<!DOCTYPE", ">", " ", "[", "<svg>", "\ufeff")),
        (parts) => {
          const kind = kindOf(parts.join(""));
          expect(kind === null || parts.includes("<svg>")).toBe(true);
        },
      ),
    );
    const long = "<!---->".repeat(37_000);
    expect(kindOf(`${long}<svg/>`)).toBe("image/svg+xml");
  });
});
