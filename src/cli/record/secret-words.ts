/** What names and looks like a secret in requests and answers of apps nobody has seen before. Pure. */

const NAMES =
  "pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|(?:access|private|signing|licen[cs]e|auth)[-_]?key|session[-_]?(?:id|key)|cookie|credential|authorization|jwt|bearer|csrf|xsrf|nonce|otp";

const NAME = new RegExp(`${NAMES}|^(?:session|pwd|pin|auth|key|sid|salt|hash)$`, "i");

/** What says how a token is to be used. */
const NO_SECRET = /^(?:token[-_]?type|set-cookie)$/i;

/** Whether a member, header or parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return NAME.test(name) && !NO_SECRET.test(name);
}

/** `name=value`, `"name": "value"`, `<name>value`, and a part of a form. */
const NAMED = [
  new RegExp(`(?:${NAMES})[\\w-]{0,32}["']?\\s{0,8}[:=>]\\s{0,8}["']?([^\\s"'<>&,;]{1,4096})`, "gi"),
  new RegExp(`name="[^"\\r\\n]{0,64}(?:${NAMES})[^"\\r\\n]{0,64}"\\r\\n\\r\\n([^\\r\\n]{1,4096})`, "gi"),
];

/** A text with what stands where a secret stands replaced, however short it is. */
export function replaceNamedSecrets(text: string, nameOf: (secret: string) => string): string {
  return NAMED.reduce(
    (read, pattern) => read.replace(pattern, (found, value: string) => found.slice(0, -value.length) + nameOf(value)),
    text,
  );
}

const TOKENS = [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, /\b[0-9a-f]{32,}\b/gi];

const LONG_WORD = /[\w+-]{24,}={0,2}/g;

/** Pieces of a text that stand where a secret stands, or look as drawn by chance. */
export function findSecretsInText(text: string): readonly string[] {
  const named = NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, value = ""]) => value));
  return [...named, ...findTokens(text)];
}

/** Pieces of a text that look as drawn by chance: JSON Web Tokens, UUIDs, hexadecimal and base64. */
export function findTokens(text: string): readonly string[] {
  const tokens = TOKENS.flatMap((pattern) => text.match(pattern) ?? []);
  const words = (text.match(LONG_WORD) ?? []).filter(
    (word) => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word),
  );
  return [...findWebTokens(text), ...tokens, ...words];
}

/** JSON Web Tokens, by their three parts: one expression for them takes minutes where a text begins many. */
function findWebTokens(text: string): readonly string[] {
  return (text.match(/[\w.-]{20,}/g) ?? []).flatMap((word) => {
    const parts = word.split(".");
    return parts.flatMap((part, index) => {
      const [payload = "", signature] = parts.slice(index + 1, index + 3);
      const at = part.search(/\beyJ[\w-]{8}/);
      return at < 0 || payload.length < 8 || signature === undefined ? [] : `${part.slice(at)}.${payload}.${signature}`;
    });
  });
}
