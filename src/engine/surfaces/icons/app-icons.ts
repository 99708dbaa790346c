/**
 * Pictures of apps, read once for all who look. What is kept is bounded in bytes and number, and so is what is read at
 * once: their places are authors' words, and a page shows hundreds.
 */
import { createHash } from "node:crypto";
import { EngineError } from "../../../core/codes/problems.ts";
import { isInsideCatalog } from "../../../core/script/catalog-path.ts";
import type { AppIcon } from "../../api.ts";
import type { Clock } from "../../ports/environment.ts";
import type { IconPlace, Icons } from "../../ports/icons.ts";
import { findIconType } from "./icon-type.ts";
import { Slots } from "./slots.ts";

/** Ms a picture of an address counts, what is known of a file, and the failure to read an address. */
const ADDRESS_MS = 3_600_000;
const FILE_MS = 60_000;
const FAILURE_MS = 300_000;
/** Most pictures and failures that are kept, and most bytes of them. */
const MOST_KEPT = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

export interface AppIconsDeps {
  readonly icons: Icons;
  readonly clock: Pick<Clock, "monotonic">;
  /** Addresses of the storage host. Rejects while nobody knows them: then no address is reached. */
  readonly hostAddresses: () => Promise<readonly string[]>;
}

/** Most characters of a place. */
const MOST_CHARACTERS = 2_048;

/** The place an app's icon names: a script may name a file of the catalog too; null where it names nothing that is read. */
export function readIconPlace(icon: string, root: string | null): IconPlace | null {
  if (icon === "" || icon.length > MOST_CHARACTERS) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(icon)) return { kind: "address", address: icon };
  return root !== null && isInsideCatalog(icon) ? { kind: "file", root, path: icon } : null;
}

type Kept = { readonly until: number } & ({ readonly icon: AppIcon } | { readonly error: EngineError });

/** Reads pictures and keeps them; `close` gives up those under way. */
export class AppIcons {
  readonly #deps: AppIconsDeps;
  /** Least recently looked at first. */
  readonly #kept = new Map<string, Kept>();
  readonly #reading = new Map<string, Promise<AppIcon>>();
  readonly #fetches = new Slots(4, 64);
  readonly #files = new Slots(8, 512);
  readonly #closing = new AbortController();
  #bytes = 0;

  constructor(deps: AppIconsDeps) {
    this.#deps = deps;
  }

  /** The picture at a place. Rejects with `ICON_UNREADABLE`; a failure is remembered for some minutes. */
  async read(place: IconPlace): Promise<AppIcon> {
    const key = place.kind === "file" ? `file ${place.path}` : `address ${place.address}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#deps.clock.monotonic() < kept.until) {
      this.#keep(key, kept);
      return openKept(kept);
    }
    const pending = this.#reading.get(key) ?? this.#readAnew(key, place);
    this.#reading.set(key, pending);
    return pending;
  }

  close(): void {
    this.#closing.abort(new EngineError("TASK_ENGINE_CLOSED", "the engine was closed"));
  }

  async #readAnew(key: string, place: IconPlace): Promise<AppIcon> {
    try {
      const slots = place.kind === "file" ? this.#files : this.#fetches;
      const kept = await slots.run(() => this.#tryRead(key, place));
      // Not remembered: it says nothing of the picture.
      if (kept === null) throw new EngineError("ICON_UNREADABLE", "too many pictures are being read, ask again");
      this.#keep(key, kept);
      return openKept(kept);
    } finally {
      this.#reading.delete(key);
    }
  }

  async #tryRead(key: string, place: IconPlace): Promise<Kept> {
    const { clock } = this.#deps;
    const isFile = place.kind === "file";
    try {
      const icon = toIcon(await this.#readBytes(place));
      return { icon, until: clock.monotonic() + (isFile ? FILE_MS : ADDRESS_MS) };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "ICON_UNREADABLE") throw error;
      const until = clock.monotonic() + (isFile ? FILE_MS : FAILURE_MS);
      const before = this.#kept.get(key);
      // A server that is away for a day keeps no picture from being shown that was read before.
      return before !== undefined && "icon" in before ? { icon: before.icon, until } : { error, until };
    }
  }

  async #readBytes(place: IconPlace): Promise<Uint8Array> {
    const { icons, hostAddresses } = this.#deps;
    return icons.read(place, place.kind === "file" ? [] : await hostAddresses(), this.#closing.signal);
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#bytes += sizeOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT && this.#bytes <= MOST_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= sizeOf(kept);
  }
}

function openKept(kept: Kept): AppIcon {
  if ("icon" in kept) return kept.icon;
  throw kept.error;
}

function sizeOf(kept: Kept): number {
  return "icon" in kept ? kept.icon.bytes.byteLength : 0;
}

function toIcon(bytes: Uint8Array): AppIcon {
  const type = findIconType(bytes);
  if (type === null)
    throw new EngineError(
      "ICON_UNREADABLE",
      "the icon is not an SVG, PNG, WebP or JPEG picture, moves, or takes long to draw",
    );
  return { type, bytes, tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}
