/** Secrets under a passphrase: scrypt makes the key, AES-256-GCM seals them together with what the file says in the clear. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { EngineError } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import { toJsonObject } from "../../core/json/json.ts";
import { readJson } from "../../core/json/json-source.ts";
import {
  describeClear,
  type ExportContents,
  ExportedSecrets,
  SCRYPT_COSTS,
  type Scrypt,
  type Sealed,
} from "./export-file.ts";

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Seals and opens secrets, one at a time: a key takes 128 MB or more while it is made. */
export class SecretSeal {
  #last: Promise<unknown> = Promise.resolve();

  /** The seal of secrets that opens for these contents alone. */
  async seal(secrets: ExportedSecrets, contents: ExportContents, passphrase: string): Promise<Sealed> {
    const how = {
      kdf: {
        name: "scrypt",
        cost: SCRYPT_COSTS[0],
        blockSize: 8,
        parallelization: 1,
        salt: randomBytes(16).toString("base64"),
      },
      cipher: CIPHER,
      nonce: randomBytes(12).toString("base64"),
    } as const;
    const cipher = createCipheriv(CIPHER, await this.#makeKey(passphrase, how.kdf), Buffer.from(how.nonce, "base64"));
    cipher.setAAD(Buffer.from(describeClear(toJsonObject(contents), how)));
    const text = [cipher.update(JSON.stringify(secrets), "utf8"), cipher.final(), cipher.getAuthTag()];
    return { ...how, sealed: Buffer.concat(text).toString("base64") };
  }

  /** The secrets of a file, `raw` as it was read. Throws `EXPORT_PASSPHRASE_WRONG`, also where the file was changed. */
  async open(raw: JsonObject, seal: Sealed, passphrase: string): Promise<ExportedSecrets> {
    const key = await this.#makeKey(passphrase, seal.kdf);
    const bytes = Buffer.from(seal.sealed, "base64");
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(seal.nonce, "base64"), { authTagLength: TAG_BYTES });
    try {
      decipher.setAAD(Buffer.from(describeClear(raw, seal)));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
      const source = readJson(text);
      return ExportedSecrets.parse(source.ok ? source.value : null);
    } catch {
      throw new EngineError("EXPORT_PASSPHRASE_WRONG", "the passphrase does not open the export");
    }
  }

  #makeKey(passphrase: string, kdf: Scrypt): Promise<Buffer> {
    const key = this.#last.then(() => deriveKey(passphrase, kdf));
    this.#last = key.catch(() => {});
    return key;
  }
}

function deriveKey(passphrase: string, { cost, blockSize, parallelization, salt }: Scrypt): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { cost, blockSize, parallelization, maxmem: 2 * 128 * cost * blockSize };
  // Keyboards write one letter in several ways.
  scrypt(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), KEY_BYTES, options, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
