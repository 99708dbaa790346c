/** Forms of a secret that are one text each: as it is, in base64, in hexadecimal. */

/** As it is, base64 and base64url as far as they are its own at each alignment, hexadecimal in both cases. */
export function listLiteralForms(secret: string): readonly string[] {
  const utf8 = Buffer.from(secret.toWellFormed(), "utf8");
  // what `btoa` takes: one byte per character
  const latin1 = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(secret) ? [Buffer.from(secret, "latin1")] : [];
  return [secret, ...[utf8, ...latin1].flatMap((bytes) => [...listBase64Forms(bytes), ...listHexForms(bytes)])];
}

function listHexForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase()];
}

/** The characters that depend on nothing before or behind the secret, for each place it can have among threes of bytes. */
function listBase64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const inner = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
