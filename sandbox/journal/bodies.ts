/** Bodies beside a journal's records: short ones in the row, long ones once for the run by their SHA-256. */
import { createHash } from "node:crypto";
import { JOURNAL_LIMITS } from "../limits.ts";
import type { BodyRef } from "./record.ts";
import type { JournalBody, JournalRow } from "./row.ts";

/** Collects the bodies of the row that is being written. */
export class BodyPacker {
  readonly #known = new Set<string>();
  #stretches: Uint8Array[] = [];
  #length = 0;
  #bodies: JournalBody[] = [];

  /** Begins with the long bodies that are kept already. */
  constructor(known: Iterable<string> = []) {
    this.#known = new Set(known);
  }

  /** Keeps a body and says where it stands; `added` bytes are new to the journal. */
  put(bytes: Uint8Array): { readonly ref: BodyRef; readonly added: number } {
    const { byteLength: length } = bytes;
    if (length <= JOURNAL_LIMITS.inlineBytes) {
      this.#stretches.push(bytes);
      this.#length += length;
      return { ref: { at: this.#length - length, length }, added: length };
    }
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (this.#known.has(sha256)) return { ref: { sha256, length }, added: 0 };
    this.#known.add(sha256);
    this.#bodies.push({ sha256, bytes });
    return { ref: { sha256, length }, added: length };
  }

  /** Takes what was collected since the last time. */
  take(): Pick<JournalRow, "bytes" | "bodies"> {
    const taken = { bytes: Buffer.concat(this.#stretches), bodies: this.#bodies };
    this.#stretches = [];
    this.#length = 0;
    this.#bodies = [];
    return taken;
  }
}

/** Reads the bodies of a journal's rows. */
export class BodyReader {
  readonly #long = new Map<string, Uint8Array>();

  /** Takes a row's long bodies in; false where one is not what its hash says. */
  take({ bodies }: JournalRow): boolean {
    return bodies.every(({ sha256, bytes }) => {
      this.#long.set(sha256, bytes);
      return createHash("sha256").update(bytes).digest("hex") === sha256;
    });
  }

  /** The body a record of the row names; null where there is none. */
  read(ref: BodyRef, row: JournalRow): Uint8Array | null {
    if ("sha256" in ref) return this.#long.get(ref.sha256) ?? null;
    return ref.at + ref.length > row.bytes.byteLength ? null : row.bytes.subarray(ref.at, ref.at + ref.length);
  }

  /** Hashes of the long bodies. */
  get known(): readonly string[] {
    return [...this.#long.keys()];
  }
}
