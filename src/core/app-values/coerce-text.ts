/** Texts with a form: URLs, addresses and paths as the host reads and rewrites them. */
import { z } from "zod";
import type { Json } from "../json/json.ts";
import type { Coerced } from "./coerced.ts";

const NO_URL = "Input should be a valid URL";
const IPV4 = z.ipv4();
const IPV6 = z.ipv6();
/** Longest URL in characters. */
const MAX_URL = 2_083;

/** An http or https URL, with a slash behind a bare host. */
export function coerceUri(value: Json): Coerced {
  if (typeof value !== "string") return { ok: false, kind: "type", reason: "URL input should be a string or URL" };
  const fault = findUrlFault(value);
  if (fault !== null) return { ok: false, kind: "form", reason: fault };
  return { ok: true, value: new URL(value).href };
}

function findUrlFault(text: string): string | null {
  const bare = text.trim();
  if (bare === "") return `${NO_URL}, input is empty`;
  if (bare.length > MAX_URL) return `URL should have at most ${MAX_URL} characters`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase();
  if (scheme === undefined) return `${NO_URL}, relative URL without a base`;
  if (scheme !== "http" && scheme !== "https") return "URL scheme should be 'http' or 'https'";
  if (URL.canParse(bare)) return null;
  const authority = bare.slice(scheme.length + 1).replace(/^[/\\]*/, "");
  if (authority === "") return `${NO_URL}, empty host`;
  return /^[^/?#\\]*:\d{5,}/.test(authority) ? `${NO_URL}, invalid port number` : `${NO_URL}, invalid host`;
}

const NO_ADDRESS = "value is not a valid IPv4 or IPv6 address";

/** An IPv4 or IPv6 address. A whole number is the IPv4 address with that value. */
export function coerceAddress(value: Json): Coerced {
  const text =
    typeof value === "boolean" ? toAddress(Number(value)) : typeof value === "number" ? toAddress(value) : value;
  if (typeof text === "string") {
    if (IPV4.safeParse(text).success) return { ok: true, value: text };
    const [address = "", zone] = text.split("%", 2);
    if (IPV6.safeParse(address).success && zone !== "") {
      const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
      return { ok: true, value: zone === undefined ? canonical : `${canonical}%${zone}` };
    }
  }
  return { ok: false, kind: typeof text === "string" ? "form" : "type", reason: NO_ADDRESS };
}

function toAddress(number: number): string | null {
  if (!Number.isInteger(number) || number < 0 || number > 0xffff_ffff) return null;
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join(".");
}

/** A path without repeated slashes, `.` steps and a slash at its end, as Python's `pathlib` writes it. */
export function normalizePath(path: string): string {
  if (path === "") return ".";
  const root = /^\/\/(?!\/)/.test(path) ? "//" : path.startsWith("/") ? "/" : "";
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return root + steps.join("/") || ".";
}
