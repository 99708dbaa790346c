import { rmSync } from "node:fs";
import { type FolderKind, makePrivateFolder, removeFolder } from "./private-folder.ts";

interface Made<T> {
  readonly files: T;
  remove(): Promise<void>;
}

export interface PrivateFilesOptions<T> {
  readonly kind: FolderKind;
  /** Makes the files in a new folder of this process; what it rejects with, `files` rejects with. */
  readonly make: (folder: string) => Promise<T>;
  /** Whether what was made is still all there. */
  readonly isThere: (files: T) => boolean;
}

/**
 * Files in a private folder, made when first needed, and again where a cleaner of temporary folders has taken them. What
 * fails is not kept: who asks next tries again.
 */
export class PrivateFiles<T> {
  readonly #options: PrivateFilesOptions<T>;
  #made: Promise<Made<T>> | null = null;

  constructor(options: PrivateFilesOptions<T>) {
    this.#options = options;
  }

  /** The files, which are there. */
  async files(): Promise<T> {
    const made = this.#made;
    if (made !== null) {
      const { files, remove } = await made;
      if (this.#options.isThere(files)) return files;
      if (this.#made === made) this.#made = null;
      await remove();
    }
    this.#made ??= this.#start();
    return (await this.#made).files;
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    const made = this.#made;
    // at once: who asks from now on gets new ones
    this.#made = null;
    await (await made?.catch(() => null))?.remove();
  }

  #start(): Promise<Made<T>> {
    const made = this.#make();
    made.catch(() => {
      if (this.#made === made) this.#made = null;
    });
    return made;
  }

  async #make(): Promise<Made<T>> {
    const folder = await makePrivateFolder(this.#options.kind);
    // an engine that ends without closing leaves no folder behind
    const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", removeAtExit);
    const remove = async () => {
      process.off("exit", removeAtExit);
      await removeFolder(folder);
    };
    try {
      return { files: await this.#options.make(folder), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }
}
