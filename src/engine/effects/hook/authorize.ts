import { EngineError, type Failure } from "../../../core/codes/problems.ts";
import { isJsonObject, type JsonObject } from "../../../core/json/json.ts";
import type { OAuthInput } from "../../../core/script/dictionary.ts";
import { readHook } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import { toInputName, toVaultEntry } from "../../vault/secrets.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { pause } from "../retry.ts";
import { authorizationUrl, openPin, type Pin, pollPin } from "./pin-flow.ts";

/**
 * `hook.authorize {hookId, inputs}`: opens a code per input and polls until the user has agreed. Tells
 * `oauth.opened`, then `oauth.granted` (the token is in the vault) or `oauth.failed`; ends with `oauth.ended`. A restart
 * goes on with the codes already shown.
 */
export function authorizeEffect(deps: EffectDeps): EffectHandler {
  const { store } = deps;
  return {
    class: "local",
    async perform(params, run) {
      const task = store.task(run.taskId);
      if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
      const { hook } = readHook(store, run.rootId, task.appId, readTextParam(params, "hookId"));
      const wanted = readTexts(params["inputs"]);
      const inputs = hook.inputs.filter((input) => input.type === "oauth").filter(({ id }) => wanted.includes(id));
      await Promise.all(inputs.map((input) => authorize(deps, run, input)));
      return { type: "oauth.ended" };
    },
  };
}

async function authorize(deps: EffectDeps, run: EffectRun, input: OAuthInput): Promise<void> {
  const { store, clock, timing, masks } = deps;
  try {
    const pin = notedPin(run, input) ?? (await open(deps, run, input));
    run.emit({
      type: "oauth.opened",
      input: input.id,
      authorization: {
        status: "open",
        url: authorizationUrl(input.flow, pin),
        code: pin.code,
        expiresAt: new Date(pin.expiresAt).toISOString(),
      },
    });
    // Measured without the wall clock, which may step; only what an earlier life left is read from it.
    const left = Math.min(timing.oauthDeadline, Math.max(0, pin.expiresAt - clock.now()));
    const end = clock.monotonic() + left;
    while (clock.monotonic() < end) {
      const value = await poll(deps, run, input, pin);
      if (value !== null) {
        store.keepSecrets(run.rootId, { [toInputName(run.taskId, input.id)]: toVaultEntry(value, true) });
        masks.forget(run.rootId);
        return run.emit({ type: "oauth.granted", input: input.id });
      }
      await pause(clock, timing.oauthPoll, run.signal);
      run.signal.throwIfAborted();
    }
    fail(run, input, {
      code: "TASK_OAUTH_EXPIRED",
      message: `nobody used the code of "${input.name}" in time`,
      context: [],
      retryable: true,
    });
  } catch (error) {
    if (run.signal.aborted) throw error;
    fail(run, input, toHostFailure(error));
  }
}

async function open({ providers, clock, timing }: EffectDeps, run: EffectRun, input: OAuthInput): Promise<Pin> {
  const pin = await openPin(providers, input.flow, clock.now(), timing.oauthDeadline, run.signal);
  run.writeNote({ ...run.note, [input.id]: { id: pin.id, code: pin.code, expiresAt: pin.expiresAt } });
  return pin;
}

/** A provider that does not answer once is asked again until the code expires; one that may not be asked is not. */
async function poll(deps: EffectDeps, run: EffectRun, input: OAuthInput, pin: Pin): Promise<JsonObject | null> {
  try {
    return await pollPin(deps.providers, input.flow, pin, run.signal);
  } catch (error) {
    if (error instanceof EngineError && error.code === "TASK_OAUTH_REFUSED") throw error;
    deps.logger.debug({ provider: input.provider, error }, "the provider did not answer, asking again");
    return null;
  }
}

function notedPin(run: EffectRun, input: OAuthInput): Pin | null {
  const noted = run.note?.[input.id];
  if (!isJsonObject(noted)) return null;
  const { id, code, expiresAt } = noted;
  return typeof id === "string" && typeof code === "string" && typeof expiresAt === "number"
    ? { id, code, expiresAt }
    : null;
}

function fail(run: EffectRun, input: OAuthInput, failure: Failure): void {
  run.emit({ type: "oauth.failed", input: input.id, authorization: { status: "failed", failure } });
}
