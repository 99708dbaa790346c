import type { Folders } from "../ports/folders.ts";

/** Stands where the embedder gave none: no folder can be read or removed. */
export const NO_FOLDERS: Folders = { list: async () => ({ ok: false, fault: "unreadable" }) };
