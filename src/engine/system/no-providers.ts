import { EngineError } from "../../core/codes/problems.ts";
import type { Providers } from "../ports/providers.ts";

/** Stands where the embedder gave no way to OAuth providers: every sign-in says so. */
export const NO_PROVIDERS: Providers = {
  ask: async () => {
    throw new EngineError("TASK_OAUTH_REFUSED", "the engine was created without a way to OAuth providers");
  },
};
