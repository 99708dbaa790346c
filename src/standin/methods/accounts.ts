import { z } from "zod";
import { ACCOUNTS, GROUPS } from "../accounts.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { createInvalidParam, createUnexpectedError } from "../rpc/rpc-error.ts";

/** Users and groups (docs/host-api.md section 7). */
export const ACCOUNT_METHODS: readonly Method[] = [
  defineDirect({
    name: "user.get_user_obj",
    names: ["get_user_obj"],
    params: z.tuple([
      z.strictObject({
        username: HostString.nullable().default(null),
        uid: z.int().nullable().default(null),
        get_groups: z.boolean().default(false),
        sid_info: z.boolean().default(false),
      }),
    ]),
    run: (_world, [{ username, uid, get_groups: withGroups }]) => {
      if ((username === null) === (uid === null)) {
        throw createInvalidParam("get_user_obj.username", 'Either "username" or "uid" must be specified.');
      }
      const found = ACCOUNTS.find((one) => (username === null ? one.uid === uid : one.name === username));
      if (found === undefined) {
        throw createUnexpectedError("KeyError", `'${username ?? uid}: user with this name does not exist'`);
      }
      const groups = GROUPS.filter(({ gid, members }) => gid === found.gid || members.includes(found.name));
      return {
        pw_name: found.name,
        pw_gecos: found.comment,
        pw_dir: "/var/empty",
        pw_shell: "/usr/sbin/nologin",
        pw_uid: found.uid,
        pw_gid: found.gid,
        grouplist: withGroups ? groups.map(({ gid }) => gid) : null,
        sid: null,
        source: "LOCAL",
        local: true,
      };
    },
  }),
  defineDirect({
    name: "group.get_group_obj",
    names: ["get_group_obj"],
    params: z.tuple([
      z.strictObject({
        groupname: HostString.nullable().default(null),
        gid: z.int().nullable().default(null),
        sid_info: z.boolean().default(false),
      }),
    ]),
    run: (_world, [{ groupname, gid }]) => {
      if ((groupname === null) === (gid === null)) {
        throw createInvalidParam("get_group_obj.groupname", 'Either "groupname" or "gid" must be specified.');
      }
      const found = GROUPS.find((one) => (groupname === null ? one.gid === gid : one.name === groupname));
      if (found === undefined) {
        throw createUnexpectedError("KeyError", `'${groupname ?? gid}: group with this name does not exist'`);
      }
      return {
        gr_name: found.name,
        gr_gid: found.gid,
        gr_mem: [...found.members],
        sid: null,
        source: "LOCAL",
        local: true,
      };
    },
  }),
];
