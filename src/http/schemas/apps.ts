import { z } from "zod";
import { AppFilter, AppId } from "../../engine/requests.ts";
import { Changelog } from "./differences.ts";
import { PairingStatus, PairingTarget } from "./pairings.ts";
import { Id, LastKnown, Limit } from "./parts.ts";
import { Requirements } from "./previews.ts";
import { AddressedProblem } from "./problems.ts";
import { WidgetSummary } from "./widgets.ts";

/** Path of everything about one app. */
export const AppParams = z.object({ appId: AppId });

/** Path of one stored answer. */
export const AnswerParams = z.object({ appId: AppId, key: Id.meta({ description: "Key of a password question" }) });

const LifecycleEntry = z
  .object({
    lifecycle: z.enum(["start", "stop", "restart", "rollback", "uninstall"]),
    state: z.enum(["enabled", "disabled"]),
    reason: z.string().optional().meta({ description: "Why it is disabled" }),
    taskId: z.string().optional().meta({ description: "The task that is in its way" }),
  })
  .meta({ id: "Lifecycle" });

const InstalledApp = z.object({
  state: z.string(),
  version: z.string(),
  upgradeAvailable: z.boolean(),
  baseUrl: z.string(),
  lifecycles: z
    .array(LifecycleEntry)
    .readonly()
    .meta({ description: "What can be done with it as a whole; what its state makes needless is left out" }),
});

const App = z
  .object({
    appId: z.string(),
    name: z.string(),
    icon: z.string(),
    description: z.string().optional(),
    custom: z.boolean(),
    deprecated: z.boolean(),
    usable: z.boolean(),
    scriptVersion: z.string().optional(),
    installed: InstalledApp.nullable().optional(),
    lastKnown: LastKnown.optional(),
  })
  .meta({ id: "App" });

/** Which apps to list. A parameter that is unknown is refused: a filter that is not one would list everything. */
export const AppsQuery = z.strictObject({
  search: AppFilter.shape.search
    .unwrap()
    .optional()
    .meta({ description: "Words that all stand in the id, the name or the description, whatever their case" }),
  installed: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Only apps that are installed; `false`: only others" }),
  upgradable: z.literal("true").optional().meta({ description: "Only apps that an upgrade is offered for" }),
  after: Id.optional().meta({ description: "Id of an app: only those after it are listed, see `next`" }),
  limit: Limit.meta({ description: "Most apps to list; all by default" }),
});

/** Body of `GET apps`. */
export const Apps = z
  .object({
    apps: z.array(App).readonly(),
    next: z.string().optional().meta({ description: "`after` of the next page; absent on the last one" }),
  })
  .meta({ id: "Apps" });

/** One app with its panels. */
export const AppDetail = App.extend({
  pairings: z.array(PairingStatus).readonly(),
  suggestions: z.array(z.object({ hookId: z.string(), target: PairingTarget, installable: z.boolean() })).readonly(),
  widgets: z.array(WidgetSummary).readonly(),
  problems: z.array(AddressedProblem).readonly(),
  requirements: Requirements.optional(),
  changelog: Changelog.meta({
    description: "The versions above the installed one up to the offered one, the newest first",
  }),
}).meta({ id: "AppDetail" });

/** Body of `POST apps/{id}/answers/{key}/reveal`. */
export const RevealedAnswer = z
  .object({ key: z.string(), value: z.string().nullable().meta({ description: "null where none is stored" }) })
  .meta({ id: "RevealedAnswer" });
