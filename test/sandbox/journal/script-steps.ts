/** Scripts made of steps: what fast-check draws, and the code it stands for. */
import fc from "fast-check";

const METHODS = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH"] as const;

/** One step; `fetch` of the node it names, answered by the app one after the other. */
export type Step =
  | {
      readonly kind: "fetch";
      readonly method: (typeof METHODS)[number];
      readonly fails: boolean;
      /** It waits until its report has taken effect. */
      readonly awaits: boolean;
      /** Its name is one of two, by the clock. */
      readonly timed: boolean;
    }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "person" }
  | { readonly kind: "seq" | "all"; readonly steps: readonly Step[] }
  /** The losers are aborted, or go on; a timer of a minute may run beside them. */
  | { readonly kind: "race"; readonly steps: readonly Step[]; readonly aborts: boolean; readonly guards: boolean }
  | { readonly kind: "try"; readonly step: Step }
  | { readonly kind: "chance"; readonly either: Step; readonly or: Step };

const request: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("fetch" as const),
  method: fc.constantFrom(...METHODS),
  fails: fc.integer({ min: 0, max: 5 }).map((value) => value === 5),
  awaits: fc.boolean(),
  timed: fc.integer({ min: 0, max: 3 }).map((value) => value === 3),
});

const { step } = fc.letrec<{ step: Step; branch: Step }>((tie) => ({
  // which of them ends first is for the app to say: each begins with a request
  branch: fc
    .tuple(request, fc.array(tie("step"), { maxLength: 1 }))
    .map(([first, rest]) => ({ kind: "seq", steps: [first, ...rest] })),
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: request },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("sleep" as const), ms: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: "person" }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("seq" as const, "all" as const),
        steps: fc.array(tie("step"), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("race" as const),
        steps: fc.array(tie("branch"), { minLength: 2, maxLength: 3 }),
        aborts: fc.boolean(),
        guards: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("try" as const), step: tie("step") }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("chance" as const), either: tie("step"), or: tie("step") }),
    },
  ),
}));

/** A script of up to five steps in a row. */
export const scriptSteps: fc.Arbitrary<Step> = fc
  .array(step, { minLength: 1, maxLength: 5 })
  .map((steps) => ({ kind: "seq", steps }));

/** The body of an async function of `ctx`, in JavaScript: also plays outside the sandbox. */
export function writeSteps(steps: Step): string {
  let last = 0;
  const name = () => `n${++last}`;
  const write = (one: Step): string => {
    switch (one.kind) {
      case "fetch":
        return `request(${JSON.stringify({ name: name(), ...one })}, signal)`;
      case "sleep":
        return `ctx.sleep(${one.ms}).then(() => "slept")`;
      case "person":
        return `ctx.awaitCheckpointRetry("${name()}", "failed")`;
      case "all":
        return `Promise.all([${one.steps.map(write).join(", ")}])`;
      case "seq":
        return `(async () => [${one.steps.map((inner) => `await ${write(inner)}`).join(", ")}])()`;
      case "race": {
        const guard = one.guards ? ['ctx.sleep(60_000).then(() => "late")'] : [];
        const all = `Promise.race([${[...one.steps.map(write), ...guard].join(", ")}])`;
        if (!one.aborts) return all;
        return `(async (stop) => { const { signal } = stop; try { return await ${all}; } finally { stop.abort(); } })(new AbortController())`;
      }
      case "try":
        return `(async () => { try { return await ${write(one.step)}; } catch (error) { ctx.log("caught", error.name); return error.name; } })()`;
      case "chance":
        return `(chance.pop() < 0.5 ? ${write(one.either)} : ${write(one.or)})`;
    }
  };
  const body = write(steps);
  return `
  // drawn before anything waits: in which order steps go on is not the same in two runs
  const chance = Array.from({ length: 20 }, () => Math.random());
  const trace = [];
  const signal = undefined;
  async function request({ name, method, fails, awaits, timed }, signal) {
    const named = timed ? name + (Date.now() % 2 === 0 ? "a" : "b") : name;
    const stamp = "r=" + Math.random() + "&t=" + Date.now() + "&u=" + crypto.randomUUID();
    const body = ["PUT", "POST", "PATCH"].includes(method) ? "of " + stamp : null;
    const response = await fetch(ctx.baseUrl + "/" + named + "?" + stamp, { method, body, signal });
    const text = await response.text();
    trace.push(named + " " + text);
    ctx.log(named, response.status);
    const told = ctx.updateCheckpointMessage(named, text);
    if (fails) throw new Error(named + " failed");
    if (awaits) await told;
    return named;
  }
  const value = await ${body};
  return { trace, value };`;
}
