import { z } from "zod";
import { Differences, FiringHook, Move } from "./differences.ts";
import { FiringLink, FormLinkTarget, Mode } from "./forms.ts";
import { PairingStatus } from "./pairings.ts";
import { AppName, JsonMembers, LastKnown } from "./parts.ts";
import { Advice, ProblemShape } from "./problems.ts";

const PreviewedDirectory = z
  .object({
    path: z.string().nullable().meta({ description: "Host path; null where it can't be resolved" }),
    location: z.string().nullable().meta({ description: "Id of the location it lies in" }),
    root: z
      .boolean()
      .meta({ description: "The location itself: shared and snapshotted only, never created or changed" }),
    share: z.boolean(),
    owner: z.object({ user: z.string(), group: z.string().optional() }).optional(),
    snapshot: z.object({ id: z.string() }).optional(),
  })
  .meta({ id: "PreviewedDirectory" });

/** The requirements of a script, compared with the host. */
export const Requirements = z
  .object({
    locations: z.object({ met: z.array(z.string()).readonly(), unmet: z.array(z.string()).readonly() }),
    advisory: z
      .array(
        z.object({
          kind: z.enum(["specification", "permission", "port"]),
          required: z.union([z.string(), z.number()]),
          met: z.boolean().nullable().meta({ description: "null where the host does not tell" }),
          found: z.string(),
          hint: z.string().optional().meta({ description: "What to do about it, where it is not met" }),
          proposal: z.number().optional().meta({ description: "A port that is free" }),
        }),
      )
      .readonly(),
  })
  .meta({ id: "RequirementsReport" });

const PreviewedApp = z
  .object({
    appId: z.string(),
    name: z.string(),
    icon: z.string(),
    mode: Mode.meta({ description: "`reinstall`: it was installed before, and the answers of then count" }),
    appValues: JsonMembers,
    directories: z.array(PreviewedDirectory).readonly(),
    hooks: z
      .array(
        z.object({
          ...FiringHook.shape,
          consent: z.boolean().optional(),
          closedBy: z.array(z.string()).readonly().optional(),
          fires: z.boolean().meta({ description: "No toggle keeps it from running, nor a fault of its script" }),
        }),
      )
      .readonly(),
    requirements: Requirements,
    missing: z
      .object({ steps: z.int(), connections: z.int(), widgets: z.int() })
      .optional()
      .meta({ description: "How many parts of its script have an error and are left out; absent if there are none" }),
  })
  .meta({ id: "PreviewedApp" });

const PreviewedLink = FiringLink.extend({
  fires: z
    .boolean()
    .meta({ description: "False where its script is missing or faulty: the install goes on without it" }),
  rows: z
    .array(FormLinkTarget.pick({ appId: true, name: true, icon: true, label: true, installed: true }))
    .readonly()
    .meta({ description: "Its targets by name; what is not installed stands in `installs`" }),
}).meta({ id: "PreviewedLink" });

/** The effect a request would have, secrets masked. */
export const Preview = z
  .object({
    ...PreviewedApp.shape,
    links: z.array(PreviewedLink).readonly(),
    installs: z
      .array(PreviewedApp)
      .readonly()
      .meta({ description: "The installs the links need, which run before them" }),
    marks: z.array(z.string()).readonly(),
    advice: Advice,
    problems: z.array(ProblemShape).readonly(),
    lastKnown: LastKnown.optional(),
    ...Differences.shape,
    upgrade: Move.optional().meta({ description: "The move of an upgrade; absent where there is none" }),
  })
  .meta({ id: "Preview" });

const UpgradePolicyView = z
  .object({
    mode: z.enum(["manual", "notify", "automatic"]),
    cron: z.string().optional(),
    minutes: z.number().optional(),
    late: z.boolean().optional(),
    stopOnFailure: z.boolean().optional(),
    next: z.string().optional().meta({ description: "When the next window opens, ISO 8601 UTC" }),
  })
  .meta({ id: "UpgradePolicyView", description: "An automatic one has `cron`" });

/** Body of `GET upgrades/policies`. */
export const UpgradePoliciesView = z
  .object({
    timeZone: z.string().optional().meta({ description: "Of the host, by which windows open" }),
    all: UpgradePolicyView,
    apps: z.record(z.string(), UpgradePolicyView).readonly(),
    revision: z.string().meta({ description: "Of what is kept, as a digest: to change exactly this" }),
  })
  .meta({ id: "UpgradePoliciesView" });

/** Apps that are left out of what was asked of several. */
export const LeftOut = z
  .array(z.object({ appId: z.string(), appName: AppName, code: z.string(), message: z.string() }))
  .readonly();

/** Body of `POST upgrades/preview`. */
export const UpgradeAllPreview = z
  .object({
    upgrades: z
      .array(
        z.object({
          appId: z.string(),
          name: z.string(),
          from: z.string().optional().meta({ description: "Absent where nobody knows it" }),
          to: z.string(),
        }),
      )
      .readonly()
      .meta({ description: "In the order they run" }),
    leftOut: LeftOut.meta({ description: "Apps that have an upgrade, or were named, and can't be upgraded now" }),
  })
  .meta({ id: "UpgradeAllPreview" });

/** Body of `POST apps/{appId}/uninstall/preview`. */
export const UninstallPreview = z
  .object({
    appId: z.string(),
    name: z.string(),
    keepData: z.boolean(),
    directories: z
      .array(
        z
          .object({
            path: z.string().meta({ description: "Host path" }),
            fate: z.enum(["kept", "removed"]),
            reason: z.string().optional().meta({ description: "Why it is kept although data is to go" }),
          })
          .meta({ id: "UninstalledDirectory" }),
      )
      .readonly(),
    shares: z
      .array(
        z
          .object({
            name: z.string(),
            path: z.string().meta({ description: "Host path" }),
            leadsTo: z.enum(["data", "nothing"]).meta({ description: "`nothing`: what it shares is to be removed" }),
          })
          .meta({ id: "LeftShare" }),
      )
      .readonly()
      .meta({ description: "SMB shares of its directories, which stay" }),
    removesVolumes: z
      .boolean()
      .meta({ description: "The host removes the volumes it keeps for the app itself, without a snapshot" }),
    answers: z.enum(["kept", "forgotten", "none"]).meta({
      description: "And generated secrets; `forgotten` once none of the own directories is left",
    }),
    links: z.array(PairingStatus).readonly().meta({ description: "Connections that end" }),
  })
  .meta({ id: "UninstallPreview" });

const DatasetSnapshot = z
  .object({
    name: z.string().meta({ description: "`dataset@name`" }),
    paths: z.array(z.string()).readonly().meta({ description: "Host paths it was taken for" }),
    bytes: z.number().optional().meta({ description: "Of the data in it; absent where the host does not say it" }),
  })
  .meta({ id: "DatasetSnapshot" });

const AppSnapshot = z
  .object({
    id: z.string().meta({ description: "What a rollback is asked for by" }),
    purpose: z.string().meta({ description: "`pre-upgrade`, `pre-update`, `pre-rollback`, ..." }),
    at: z.iso.datetime(),
    version: z.string().optional().meta({ description: "The app's version then, where it is known" }),
    toVersion: z.string().optional().meta({ description: "The version the task led to" }),
    datasets: z.array(DatasetSnapshot).readonly(),
  })
  .meta({ id: "AppSnapshot" });

/** Body of `GET apps/{appId}/snapshots`. */
export const AppSnapshots = z.object({ snapshots: z.array(AppSnapshot).readonly() }).meta({ id: "AppSnapshots" });

/** Body of `POST apps/{appId}/rollback/preview`. */
export const RollbackPreview = z
  .object({
    appId: z.string(),
    name: z.string(),
    snapshot: AppSnapshot,
    impossible: z.string().optional().meta({ description: "Why the rollback would be refused" }),
    version: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .meta({ description: "Of the host's package; absent where the version stays" }),
    options: z.enum(["restored", "kept"]).meta({ description: "Values, answers and generated secrets" }),
    volumes: z.enum(["restored", "kept"]).meta({
      description: "Those the host keeps for the app itself: what was written there since is lost",
    }),
    restored: z
      .array(
        z
          .object({
            path: z.string().meta({ description: "Host path" }),
            dataset: z.string(),
            from: z.string().meta({ description: "`dataset@name`" }),
            since: z.iso.datetime().meta({ description: "What was written after it is put aside" }),
            newer: z
              .array(z.string())
              .readonly()
              .meta({ description: "Snapshots of the app that are put aside too; those of others go along unnamed" }),
            shares: z.array(z.string()).readonly().meta({
              description: "Shares that lead there: open files on them stop the rollback, or are closed by the host",
            }),
          })
          .meta({ id: "DatasetRestored" }),
      )
      .readonly(),
    kept: z
      .array(z.object({ paths: z.array(z.string()).readonly(), reason: z.string() }).meta({ id: "DatasetKept" }))
      .readonly()
      .meta({ description: "Paths a snapshot was taken for that stay as they are" }),
  })
  .meta({ id: "RollbackPreview" });
