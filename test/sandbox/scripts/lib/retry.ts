import type { HookContext } from "slipway/hook-api";

/** Calls until it does not throw; waits longer each time. */
export async function retry<T>(ctx: HookContext, what: string, attempts: number, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts) throw new Error(`${what} failed after ${attempts} attempts`, { cause: error });
      ctx.log(`${what}: attempt ${attempt} failed`, error);
      await ctx.sleep(5 * attempt);
    }
  }
}
