/** What a person chooses to have a link made. */
import type { InstallRequest, LinkRequest } from "../../engine/api.ts";
import type { Random } from "../../standin/random.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import { generateInputs } from "../trials/generate-inputs.ts";
import type { PlayableLink } from "./list-links.ts";

/** The choice of a link in the dialog of an install. */
export function buildLinkRequest({ app, hook, targets }: PlayableLink, random: Random): LinkRequest {
  const named = targets.map(({ appId }) => appId);
  return { hookId: hook.id, runsOnAppId: app.appId, targets: named, inputs: generateInputs(hook, random) };
}

/** Choices for targets that are installed with the app. */
export function chooseTargets({ targets }: PlayableLink, random: Random): NonNullable<LinkRequest["install"]> {
  return Object.fromEntries(
    targets.map(({ appId, dictionary }) => {
      const { answers = {} } = buildInstallRequest(dictionary, random);
      return [appId, { answers }];
    }),
  );
}

/** An install of the app with its link, and of what it links with. */
export function buildLinkedInstall(link: PlayableLink, random: Random): InstallRequest {
  const install = chooseTargets(link, random);
  const links = [{ ...buildLinkRequest(link, random), install }];
  return { ...buildInstallRequest(link.app.dictionary, random), links };
}
