import { randomBytes, randomInt } from "node:crypto";
import type { Randomness } from "../ports/environment.ts";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The system's cryptographic source. Ids are 96 random bits as 20 lower-case letters and digits. */
export function createSystemRandomness(): Randomness {
  return {
    id: () =>
      BigInt(`0x${randomBytes(12).toString("hex")}`)
        .toString(36)
        .padStart(20, "0")
        .slice(-20),
    alphanumeric(length) {
      return Array.from({ length }, () => ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length))).join("");
    },
  };
}
