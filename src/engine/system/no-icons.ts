import { EngineError } from "../../core/codes/problems.ts";
import type { Icons } from "../ports/icons.ts";

/** Stands where the embedder gave no way to pictures: no app has one. */
export const NO_ICONS: Icons = {
  read: async () => {
    throw new EngineError("ICON_UNREADABLE", "the engine was created without a way to pictures of apps");
  },
};
