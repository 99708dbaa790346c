import {
  ACCOUNTS,
  describeFullHost,
  JELLYFIN_QUESTIONS,
  offerJellyfin,
  REFUSED_VALUES,
} from "../support/host/full-contract.ts";
import { createScriptedHost } from "../support/host/scripted-host.ts";

describeFullHost("the scripted host of the engine's tests", async () => {
  const versions = ["1.2.0", "1.3.12"] as const;
  const [older, newest] = versions;
  const host = createScriptedHost({
    catalog: { jellyfin: { train: "community", title: "Jellyfin", icon: "", versions, questions: JELLYFIN_QUESTIONS } },
  });
  return {
    host,
    ...{ dataset: "tank/apps", folder: "/mnt/tank/apps", forbidden: "/etc/slipway", madeAcltype: "NFSV4" },
    ...{
      app: offerJellyfin(newest),
      older,
      refused: REFUSED_VALUES,
      accounts: { ...ACCOUNTS, acl: { acltype: "POSIX1E", refusesOther: true } },
    },
    restart: async () => host.script.restart(true),
    setAppsService: async (status) => host.script.setAppsService(status),
    stopShares: async () => {
      Object.assign(host.script.world, { sharesServed: false, sharesEnabled: false });
    },
    stop: () => host.close(),
  };
});
