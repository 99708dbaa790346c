import { z } from "zod";

const Names = z.array(z.string()).readonly();
const ended = { done: Names, notDone: Names };
const Repaired = Names.meta({ description: "Paths whose ownership was repaired" });
const Snapshots = Names.meta({ description: "`dataset@name` each" });

/** Work a lifecycle did and did not do, told once it has ended. */
export const TaskResult = z
  .union([
    z
      .object({ app: z.enum(["created", "notCreated", "unknown"]), directories: Names, shares: Names, ...ended })
      .meta({ id: "InstallResult" }),
    z
      .object({
        app: z.enum(["upgraded", "notUpgraded", "unknown"]),
        from: z.string().optional().meta({ description: "Version it departed from; absent where nobody knows it" }),
        to: z.string().optional().meta({ description: "Version it led to; `app` says whether it came there" }),
        snapshots: Snapshots,
        directories: Names.optional().meta({ description: "Of an upgrade by values alone, as of a custom app" }),
        shares: Names.optional(),
        repaired: Repaired,
        ...ended,
      })
      .meta({ id: "UpgradeResult" }),
    z
      .object({
        failed: Names.meta({ description: "Apps of `notDone` whose upgrade was begun" }),
        ...ended,
      })
      .meta({ id: "UpgradeAllResult", description: "By app id" }),
    z
      .object({
        app: z.enum(["updated", "notUpdated", "unknown"]),
        snapshots: Snapshots,
        directories: Names,
        shares: Names,
        repaired: Repaired,
        ...ended,
      })
      .meta({ id: "UpdateResult" }),
    z
      .object({
        app: z.enum(["uninstalled", "notUninstalled", "unknown"]),
        removed: Names.meta({ description: "Directories that are gone" }),
        emptied: Names.meta({ description: "Datasets: they stay, empty, with the snapshots to go back to" }),
        left: Names.meta({ description: "Own directories that could not be removed, or not whole" }),
        snapshots: Snapshots,
        answers: z
          .enum(["kept", "forgotten"])
          .meta({ description: "And generated secrets; a reinstall offers kept ones" }),
        ...ended,
      })
      .meta({ id: "UninstallResult" }),
    z
      .object({
        app: z.enum(["rolledBack", "notRolledBack", "unknown"]),
        version: z.string().optional().meta({ description: "The version asked for; absent where it was to stay" }),
        restored: Names.meta({ description: "Host paths of the datasets that are back" }),
        setAside: Names.meta({
          description: "Datasets that hold what was there before, with their snapshots; only a person deletes them",
        }),
        snapshots: Snapshots,
        ...ended,
      })
      .meta({ id: "RollbackResult" }),
    z.object({ app: z.enum(["adopted", "notAdopted", "unknown"]), ...ended }).meta({ id: "AdoptResult" }),
    z
      .object({
        app: z.enum([
          "started",
          "alreadyRunning",
          "notStarted",
          "stopped",
          "alreadyStopped",
          "notStopped",
          "restarted",
          "notRestarted",
          "unknown",
        ]),
        state: z
          .string()
          .nullable()
          .meta({ description: "The app's state as the host told it since; null where it told none" }),
        ...ended,
      })
      .meta({ id: "SwitchResult", description: "Of a start, stop or restart" }),
  ])
  .meta({ id: "TaskResult" });
