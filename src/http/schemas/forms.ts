import { z } from "zod";
import { HOOK_KINDS } from "../../core/script/script-words.ts";
import { UpgradeRequest } from "../../engine/requests.ts";
import { Differences, FiringHook, Move } from "./differences.ts";
import { LastKnown } from "./parts.ts";
import { Advice, ProblemShape } from "./problems.ts";
import { FormStep } from "./questions.ts";

/** Occasions of a dialog. */
export const Mode = z.enum(["install", "custom", "reinstall", "options", "upgrade"]).meta({
  description:
    "Which questions are asked; by default those of the install, or of a reinstall where the app was installed before. An upgrade asks none",
});

/** For which occasion a dialog or a preview is. */
export const ModeQuery = z.object({ mode: Mode.optional() });

const FormConsent = z
  .object({
    hookId: z.string(),
    label: z.string(),
    description: z.string().optional(),
    default: z.boolean(),
    checked: z.boolean(),
    requiresConsents: z.array(z.string()).readonly(),
    available: z.boolean(),
    link: z.object({ url: z.string(), label: z.string() }).optional(),
  })
  .meta({ id: "FormConsent" });

/** A row of the picker. */
export const FormLinkTarget = z
  .object({
    appId: z.string(),
    name: z.string(),
    icon: z.string(),
    label: z.string(),
    installed: z.boolean(),
    default: z.boolean(),
    checked: z.boolean(),
    installable: z.boolean(),
    steps: z.array(FormStep).readonly().optional(),
    consents: z.array(FormConsent).readonly().optional(),
  })
  .meta({ id: "FormLinkTarget" });

const FormLink = z
  .object({
    hookId: z.string(),
    runsOnAppId: z.string(),
    direction: z.enum(["outgoing", "incoming"]),
    title: z.string(),
    description: z.string().optional(),
    kind: z.enum(HOOK_KINDS).optional(),
    targets: z.array(FormLinkTarget).readonly(),
    requiresConsents: z.array(z.string()).readonly(),
    available: z.boolean(),
    reason: z.string().optional(),
  })
  .meta({ id: "FormLink" });

/** A link that runs as things stand. */
export const FiringLink = z
  .object({
    hookId: z.string(),
    runsOnAppId: z.string(),
    title: z.string(),
    targets: z.array(z.string()).readonly(),
  })
  .meta({ id: "FiringLink" });

/** The install or options dialog as data. */
export const Form = z
  .object({
    appId: z.string(),
    mode: Mode,
    upgrade: z
      .object({ ...Move.shape, hooks: z.array(FiringHook).readonly() })
      .optional()
      .meta({ description: "The move of an upgrade, and the hooks that run; absent where there is none" }),
    lastKnown: LastKnown.optional(),
    steps: z.array(FormStep).readonly(),
    consents: z.array(FormConsent).readonly(),
    linksTitle: z.string().optional(),
    links: z.array(FormLink).readonly(),
    button: z.string().optional(),
    collapsed: z.array(FiringLink).readonly(),
    request: UpgradeRequest,
    problems: z.array(ProblemShape).readonly(),
    advice: Advice.optional(),
    ...Differences.shape,
  })
  .meta({ id: "Form" });
