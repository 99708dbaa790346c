/** Shapes of notifications, where one comes back from the log or goes over HTTP. */
import { z } from "zod";

const News = { id: z.string(), at: z.string() };

/** The shape of a `PairingLinked`. */
export const PairingLinkedShape = z
  .object({
    ...News,
    type: z.literal("pairing.linked"),
    runsOnAppId: z.string(),
    hookId: z.string(),
    target: z.string().meta({ description: "The app that was linked" }),
    taskId: z.string().meta({ description: "The link's task" }),
  })
  .meta({ id: "PairingLinked" });

const UpgradeAvailableShape = z.object({
  ...News,
  type: z.literal("upgrade.available"),
  appId: z.string(),
  from: z.string().exactOptional().meta({ description: "The installed version; absent where nobody knows it" }),
  to: z.string(),
});

const Name = z.string().exactOptional().meta({ description: "Display name; absent where it is not known" });

const Read = {
  appName: Name,
  read: z.boolean().meta({ description: "By a person, or because it says nothing true any more" }),
};

/** The shape of a stored notification. */
export const NotificationShape = z
  .discriminatedUnion("type", [
    PairingLinkedShape.extend({ ...Read, targetName: Name }),
    UpgradeAvailableShape.extend(Read),
  ])
  .meta({ id: "Notification" });
