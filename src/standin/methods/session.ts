import { z } from "zod";
import { viewJob } from "../jobs/job.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createUnexpectedError } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";

const LoginOptions = z.strictObject({ user_info: z.boolean().default(true) }).prefault({});

const Login = z.discriminatedUnion("mechanism", [
  z.strictObject({
    mechanism: z.literal("API_KEY_PLAIN"),
    username: HostString,
    api_key: HostString,
    login_options: LoginOptions,
  }),
  z.strictObject({
    mechanism: z.literal("PASSWORD_PLAIN"),
    username: HostString,
    password: HostString,
    login_options: LoginOptions,
  }),
  z.strictObject({ mechanism: z.literal("TOKEN_PLAIN"), token: HostString, login_options: LoginOptions }),
  z.strictObject({ mechanism: z.literal("OTP_TOKEN"), otp_token: HostString, login_options: LoginOptions }),
]);

/** Unlike other arguments of the host, unknown options are ignored. 25.04 knows `py_exceptions` alone. */
const ChangedOptions = z.object({
  legacy_jobs: z.boolean().exactOptional(),
  private_methods: z.boolean().exactOptional(),
  py_exceptions: z.boolean().exactOptional(),
});

/** ms a failed login waits for its answer, at speed 1. */
const FAILED_LOGIN_MS = 1000;

const ROLES = [
  "FULL_ADMIN",
  "READONLY_ADMIN",
  "APPS_WRITE",
  "FILESYSTEM_FULL_CONTROL",
  "DATASET_WRITE",
  "SNAPSHOT_WRITE",
  "SNAPSHOT_DELETE",
  "SHARING_SMB_WRITE",
  "SERVICE_WRITE",
];

function describeAccount(world: World) {
  return {
    pw_name: world.state.username,
    pw_gecos: "",
    pw_dir: "/var/empty",
    pw_shell: "/usr/sbin/nologin",
    pw_uid: 3000,
    pw_gid: 3000,
    grouplist: null,
    sid: null,
    source: "LOCAL",
    local: true,
    attributes: {},
    account_attributes: ["LOCAL", "API_KEY"],
    two_factor_config: { provisioning_uri: null, secret_configured: false, interval: 30, otp_digits: 6 },
    privilege: { roles: { $set: ROLES }, web_shell: false, webui_access: true },
  };
}

/** Login, subscriptions and jobs: the calls every session begins with (docs/host-api.md sections 2 and 3). */
export const SESSION_METHODS: readonly Method[] = [
  defineDirect({
    name: "auth.login_ex",
    open: true,
    names: ["login_data"],
    params: z.tuple([Login]),
    run: async (world, [login], caller) => {
      if (login.mechanism === "OTP_TOKEN") throw createCallError("EINVAL", "OTP token submitted out of turn");
      if (world.faults.take("login-expired")) return { response_type: "EXPIRED" };
      if (world.faults.take("login-otp")) {
        return { response_type: "OTP_REQUIRED", username: world.state.username };
      }
      const right =
        login.mechanism === "API_KEY_PLAIN" &&
        login.username === world.state.username &&
        login.api_key === world.state.apiKey;
      if (!right) {
        await world.pace(FAILED_LOGIN_MS);
        return { response_type: "AUTH_ERR" };
      }
      caller.setLoggedIn(true);
      return {
        response_type: "SUCCESS",
        authenticator: "LEVEL_1",
        user_info: login.login_options.user_info ? describeAccount(world) : null,
        ...(isSince(world.generation, "26.0") && { reconnect_token: null }),
      };
    },
  }),
  defineDirect({
    name: "auth.login_with_api_key",
    before: "27.0",
    open: true,
    names: ["api_key"],
    params: z.tuple([HostString]),
    run: async (world, [key], caller) => {
      const right = key === world.state.apiKey;
      if (right) caller.setLoggedIn(true);
      else await world.pace(FAILED_LOGIN_MS);
      return right;
    },
  }),
  defineDirect({
    name: "auth.mechanism_choices",
    open: true,
    names: [],
    params: z.tuple([]),
    // A 26.0 host offers SCRAM too; the stand-in does not, because it can't answer one.
    run: () => ["API_KEY_PLAIN", "PASSWORD_PLAIN", "TOKEN_PLAIN"],
  }),
  defineDirect({ name: "auth.me", names: [], params: z.tuple([]), run: (world) => describeAccount(world) }),
  defineDirect({
    name: "core.set_options",
    open: true,
    names: ["options"],
    params: z.tuple([ChangedOptions]),
    run: (world, [changed], caller) => {
      if (world.generation !== "25.04") return { ...caller.setOptions(changed) };
      const { py_exceptions } = changed;
      if (py_exceptions !== undefined) caller.setOptions({ py_exceptions });
      return null;
    },
  }),
  defineDirect({ name: "core.ping", open: true, names: [], params: z.tuple([]), run: () => "pong" }),
  defineDirect({
    name: "core.subscribe",
    names: ["event"],
    params: z.tuple([HostString]),
    run: (_world, [event], caller) => caller.subscribe(event),
  }),
  defineDirect({
    name: "core.unsubscribe",
    names: ["id_"],
    params: z.tuple([HostString]),
    run: (_world, [id], caller) => {
      caller.unsubscribe(id);
      return null;
    },
  }),
  defineDirect({
    name: "core.get_jobs",
    names: ["filters", "options"],
    params: z.tuple([Filters, QueryOptions]),
    run: (world, [filters, options]) => runQuery(world.jobs.list().map(viewJob), filters, options),
  }),
  defineJob({
    name: "core.job_wait",
    names: ["id"],
    params: z.tuple([z.int()]),
    run: async (world, [id]) => {
      const awaited = world.jobs.get(id);
      if (awaited === undefined) throw createCallError("ENOENT", `Job ${id} does not exist`);
      await awaited.ended;
      if (awaited.state !== "SUCCESS") throw createUnexpectedError("Exception", awaited.error ?? "Job was aborted");
      return awaited.result;
    },
  }),
  defineDirect({
    name: "core.job_abort",
    names: ["id"],
    params: z.tuple([z.int()]),
    run: (world, [id]) => {
      const found = world.jobs.get(id);
      if (found === undefined) throw createCallError("ENOENT", `Job ${id} does not exist`);
      if (!found.abortable) throw createCallError("EINVAL", "Job is not abortable");
      world.jobs.abort(found);
      return null;
    },
  }),
];
