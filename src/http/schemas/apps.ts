import { z } from "zod";
import { AppId } from "../../engine/requests.ts";
import { LastKnown } from "./last-known.ts";
import { PairingTarget } from "./pairings.ts";
import { Id } from "./parts.ts";
import { ProblemShape } from "./problems.ts";
import { WidgetSummary } from "./widgets.ts";

/** Path of everything about one app. */
export const AppParams = z.object({ appId: AppId });

/** Path of one stored answer. */
export const AnswerParams = z.object({ appId: AppId, key: Id.meta({ description: "Key of a password question" }) });

const InstalledApp = z.object({
  state: z.string(),
  version: z.string(),
  upgradeAvailable: z.boolean(),
  baseUrl: z.string(),
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

/** Body of `GET apps`. */
export const Apps = z.object({ apps: z.array(App).readonly() }).meta({ id: "Apps" });

/** One app with its panels. */
export const AppDetail = App.extend({
  pairings: z
    .array(
      z.object({
        hookId: z.string(),
        runsOnAppId: z.string(),
        title: z.string(),
        target: PairingTarget,
        status: z.enum(["connected", "installed", "not installed"]),
      }),
    )
    .readonly(),
  suggestions: z.array(z.object({ hookId: z.string(), target: PairingTarget, installable: z.boolean() })).readonly(),
  widgets: z.array(WidgetSummary).readonly(),
  problems: z.array(ProblemShape).readonly(),
}).meta({ id: "AppDetail" });

/** Body of `POST apps/{id}/answers/{key}/reveal`. */
export const RevealedAnswer = z
  .object({ key: z.string(), value: z.string().nullable().meta({ description: "null where none is stored" }) })
  .meta({ id: "RevealedAnswer" });
