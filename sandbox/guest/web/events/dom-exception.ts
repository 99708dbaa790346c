/** DOMException (Web IDL section 2.8). */
import { exposeMembers } from "../webidl.ts";

const CODES = {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
} as const;

const LEGACY_CONSTANTS = {
  INDEX_SIZE_ERR: 1,
  DOMSTRING_SIZE_ERR: 2,
  HIERARCHY_REQUEST_ERR: 3,
  WRONG_DOCUMENT_ERR: 4,
  INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6,
  NO_MODIFICATION_ALLOWED_ERR: 7,
  NOT_FOUND_ERR: 8,
  NOT_SUPPORTED_ERR: 9,
  INUSE_ATTRIBUTE_ERR: 10,
  INVALID_STATE_ERR: 11,
  SYNTAX_ERR: 12,
  INVALID_MODIFICATION_ERR: 13,
  NAMESPACE_ERR: 14,
  INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16,
  TYPE_MISMATCH_ERR: 17,
  SECURITY_ERR: 18,
  NETWORK_ERR: 19,
  ABORT_ERR: 20,
  URL_MISMATCH_ERR: 21,
  QUOTA_EXCEEDED_ERR: 22,
  TIMEOUT_ERR: 23,
  INVALID_NODE_TYPE_ERR: 24,
  DATA_CLONE_ERR: 25,
} as const;

/** Names that errors of the other side may carry to become a DOMException. */
export function isDomExceptionName(name: string): boolean {
  return name !== "SyntaxError" && (Object.hasOwn(CODES, name) || name === "DataError" || name === "OperationError");
}

export class DOMException extends Error {
  #name: string;
  #message: string;

  constructor(message: unknown = "", options: unknown = "Error") {
    super();
    delete (this as { message?: string }).message;
    const text = `${message as string}`;
    this.#message = text;
    if (typeof options === "object" && options !== null) {
      const { name = "Error", cause } = options as { name?: unknown; cause?: unknown };
      this.#name = `${name as string}`;
      if ("cause" in options) {
        Object.defineProperty(this, "cause", { value: cause, configurable: true, writable: true });
      }
    } else {
      this.#name = `${options as string}`;
    }
    Object.defineProperty(this, "stack", {
      value: `${this.#name}: ${text}\n${readFrames(this)}`,
      configurable: true,
      writable: true,
    });
  }

  override get name(): string {
    return this.#name;
  }

  override get message(): string {
    return this.#message;
  }

  get code(): number {
    return Object.hasOwn(CODES, this.#name) ? CODES[this.#name as keyof typeof CODES] : 0;
  }
}

/** The frames of an error, without its first line. */
export function readFrames(error: Error): string {
  const { stack } = error;
  return typeof stack === "string" ? stack.slice(stack.indexOf("\n") + 1) : "";
}

exposeMembers(DOMException, "DOMException", { new: 0 });
for (const [key, value] of Object.entries(LEGACY_CONSTANTS)) {
  Object.defineProperty(DOMException, key, { value, enumerable: true });
  Object.defineProperty(DOMException.prototype, key, { value, enumerable: true });
}
