/**
 * OAuth providers, as the engine needs them.
 *
 * Invariants every implementation keeps:
 * 1. The addresses are an author's words: only public ones are reached, at the address their name was looked up to.
 * 2. Nothing an author or a provider sends is unbounded: heads and bodies are cut, and no redirect is followed.
 */
export interface Providers {
  /**
   * Sends one request without a body; resolves with the whole answer, whatever its status. Rejects with
   * `TASK_OAUTH_REFUSED` where the request may not be made, with `TASK_OAUTH_FAILED` where it came to nothing, and with
   * the signal's reason once that has aborted.
   */
  ask(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
}

export interface ProviderRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Names of `isProviderHeader` only; any other is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProviderAnswer {
  readonly status: number;
  /** UTF-8, decompressed. */
  readonly text: string;
}
