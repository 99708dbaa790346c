/** The address of the worker, in the form a policy with trusted types asks for. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

declare global {
  /** Browsers without trusted types have none. */
  var trustedTypes: TrustedTypes | undefined;
}

/** Beside this module, wherever that lies: the build puts both into one folder. */
const WORKER = new URL("./stream-worker.js", import.meta.url).href;

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/**
 * The worker's address, by a policy that lets no other through. Throws where the policy of the page around allows none of
 * that name.
 */
export function createWorkerUrl(): string {
  policy ??= globalThis.trustedTypes?.createPolicy("slipway", {
    createScriptURL: (url) => {
      if (url !== WORKER) throw new TypeError(`"${url}" is not the worker of this page`);
      return url;
    },
  });
  return policy === undefined ? WORKER : policy.createScriptURL(WORKER);
}
