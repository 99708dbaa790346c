import type { PlannedChild } from "../../../../machines/lifecycle/planned-child.ts";
import { checkLinks } from "../../../core/hooks/check-links.ts";
import { findTargetChoices } from "../../../core/hooks/install-links.ts";
import { type JsonPath, toJsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary, Hook } from "../../../core/script/dictionary.ts";
import type { InstallRequest, LinkRequest } from "../../api.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import { toHookKey } from "../../stored-plan.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";
import { compileHooks, listCompileFaults } from "../compile-hooks.ts";
import type { MethodDeps } from "../deps.ts";
import { resolveOfferedInputs } from "../form/input-defaults.ts";
import { buildHookTaskInput } from "../hook-child.ts";
import { joinPlans } from "../join-plans.ts";
import { readDialog, readLinks } from "./links-of-request.ts";
import { type PreparedInstall, prepareInstall } from "./prepare-install.ts";
import {
  createRequestProblem,
  placeBelow,
  readGivenInputs,
  refuseProblems,
  requireUsableApp,
  toHookClaim,
} from "./request.ts";

/** The part of an install's plan that its links add. */
export interface PreparedLinks
  extends Pick<PreparedInstall, "plan" | "secrets" | "scripts" | "advice" | "values" | "faults"> {
  readonly children: readonly PlannedChild[];
  readonly marks: readonly string[];
}

/**
 * Checks the selected links and plans them: first the installs of missing targets, then the links in the order given
 * (docs/decisions.md, section 7). Any fault rejects the request whole, with its place. `kept`: what the app that is not yet
 * known is to be known with by then.
 */
export async function prepareLinks(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  facts: HostFacts,
  isPreview = false,
  kept?: KeptChoices,
): Promise<PreparedLinks> {
  const links = readLinks(deps, appId, request, facts);
  refuseFaultyLinks(appId, links, readDialog(deps, appId, request.consents ?? {}, facts));
  const parts: PreparedLinks[] = [];
  const installing = new Set([appId]);
  const sound = links.filter(({ runsOnAppId, hookId }) => {
    const dictionary = deps.view().apps.get(runsOnAppId)?.dictionary;
    return !dictionary || findHook(dictionary, hookId) !== undefined;
  });
  for (const target of sound.flatMap((link) => [link.runsOnAppId, ...link.targets])) {
    if (installing.has(target) || Object.hasOwn(facts.apps, target)) continue;
    installing.add(target);
    const prepared = await prepareTarget(deps, target, links, facts, isPreview);
    const { file } = requireUsableApp(deps, target).entry;
    const values = prepared.values.map((problem) => ({ ...problem, file }));
    parts.push({ ...prepared, values, children: [installChild(target, prepared)], marks: [] });
  }
  for (const [at, link] of links.entries()) {
    if (!sound.includes(link)) {
      parts.push(createDroppedLink(link.hookId));
      continue;
    }
    // What is installed in the same request is resolved with the answers given for it.
    const own = link.runsOnAppId === appId;
    const answers = own ? request.answers : findTargetChoices(links, link.runsOnAppId)?.answers;
    parts.push(
      await prepareLink(deps, appId, link, at, {
        facts,
        ...(answers && { answers }),
        ...(own && kept && { kept }),
      }),
    );
  }
  return {
    children: parts.flatMap(({ children }) => children),
    marks: parts.flatMap(({ marks }) => marks),
    secrets: Object.assign({}, ...parts.map(({ secrets }) => secrets)),
    scripts: parts.flatMap(({ scripts }) => scripts),
    advice: parts.flatMap(({ advice }) => advice),
    values: parts.flatMap(({ values }) => values),
    faults: parts.flatMap(({ faults }) => faults),
    plan: joinPlans(parts.map(({ plan }) => plan)),
  };
}

function findHook({ hooks }: Dictionary, hookId: string): Hook | undefined {
  return hooks.find(({ id }) => id === hookId);
}

function refuseFaultyLinks(
  appId: string,
  links: readonly LinkRequest[],
  dialog: Parameters<typeof checkLinks>[1],
): void {
  refuseProblems(
    appId,
    checkLinks(links, dialog).map(({ code, message, path }) => createRequestProblem(code, message, path)),
  );
}

/** The install of a missing target with the choices made for it in the dialog; its faults stand at those choices. */
async function prepareTarget(
  deps: MethodDeps,
  target: string,
  links: readonly LinkRequest[],
  facts: HostFacts,
  isPreview: boolean,
): Promise<PreparedInstall> {
  const given = links.findIndex(({ install }) => install !== undefined && Object.hasOwn(install, target));
  const named = links.findIndex(({ runsOnAppId, targets }) => runsOnAppId === target || targets.includes(target));
  const at = given === -1 ? named : given;
  try {
    return await prepareInstall(deps, target, links[at]?.install?.[target] ?? {}, facts, {
      waitsForTurn: true,
      isPreview,
    });
  } catch (error) {
    throw placeBelow(["links", at, "install", target], error);
  }
}

function installChild(appId: string, { input }: PreparedInstall): PlannedChild {
  return {
    id: `install.${appId}`,
    phase: "link",
    machine: "install",
    kind: "install",
    appId,
    claim: toAppClaim(appId),
    input: toJsonObject(input),
  };
}

/** A link of a dropped hook: nothing of it is done, and nothing is installed for it. */
function createDroppedLink(hookId: string): PreparedLinks {
  const marks = [`hookDropped: ${hookId}`];
  const plan = { format: 1, apps: {}, hooks: {}, secrets: [] } as const;
  return { children: [], marks, secrets: {}, scripts: [], advice: [], values: [], faults: [], plan };
}

/** One selected link; a script that does not compile drops it alone, like any other hook. */
async function prepareLink(
  deps: MethodDeps,
  appId: string,
  link: LinkRequest,
  at: number,
  { facts, ...known }: Pick<InstallRequest, "answers"> & { readonly facts: HostFacts; readonly kept?: KeptChoices },
): Promise<PreparedLinks> {
  const { dictionary } = requireUsableApp(deps, link.runsOnAppId);
  const hook = findHook(dictionary, link.hookId);
  if (hook === undefined) return createDroppedLink(link.hookId);
  const inputs = link.inputs === undefined ? {} : { [hook.id]: link.inputs };
  const offered = await resolveOfferedInputs(deps, dictionary, hook, facts, known);
  const placeOf = (): JsonPath => ["links", at, "inputs"];
  const secrets = readGivenInputs(dictionary, offered.defaults, { inputs, placeOf });
  const compiled = await compileHooks(deps, dictionary, [hook], offered.defaults);
  const { scripts, dropped } = compiled;
  const marks = dropped.map(({ hookId }) => `hookDropped: ${hookId}`);
  const input = {
    ...buildHookTaskInput(link.runsOnAppId, hook, "userAction", "link", deps.timing),
    link: {
      apps: [...new Set([link.runsOnAppId, appId, ...link.targets])],
      targets: [...link.targets],
      startDeadlineMs: deps.timing.linkStart,
    },
  };
  const child: PlannedChild = {
    // No app id has a dot: neither an app nor another hook comes to the same name.
    id: `link.${link.runsOnAppId}.${hook.id}`,
    phase: "link",
    machine: "hook-task",
    kind: "link",
    appId: link.runsOnAppId,
    hookId: hook.id,
    claim: toHookClaim(link.runsOnAppId, hook.id, null),
    input: toJsonObject(input),
  };
  return {
    children: toHookKey(link.runsOnAppId, hook.id) in compiled.hooks ? [child] : [],
    marks,
    secrets,
    scripts,
    advice: [],
    values: [],
    faults: listCompileFaults(compiled),
    plan: { format: 1, apps: {}, hooks: compiled.hooks, secrets: offered.secrets },
  };
}
