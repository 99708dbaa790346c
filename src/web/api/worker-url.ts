/** The address of the worker, in the form a policy with trusted types asks for. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

declare global {
  /** Browsers without trusted types have none. */
  var trustedTypes: TrustedTypes | undefined;
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/**
 * The worker's address, by a policy that lets no other through. Throws where the policy of the page around allows none of
 * that name, and in a program that is no module, which knows no address of its own.
 */
export function createWorkerUrl(): string {
  // Beside this module, wherever that lies: the build puts both into one folder.
  const worker = new URL("./stream-worker.js", import.meta.url).href;
  policy ??= globalThis.trustedTypes?.createPolicy("slipway", {
    createScriptURL: (url) => {
      if (url !== worker) throw new TypeError(url);
      return url;
    },
  });
  return policy === undefined ? worker : policy.createScriptURL(worker);
}
