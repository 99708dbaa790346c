/** Plays what an app's author wants to see beyond what is generated. */
import type { Problem } from "../../core/codes/problems.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { InstallRequest } from "../../engine/api.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom, type Random } from "../../standin/random.ts";
import { describeError } from "../findings.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { MACHINES } from "../trials/host-profiles.ts";
import { readFake } from "../world/read-fake.ts";
import { seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import { judgeScenario, type ScenarioEnd } from "./judge-scenario.ts";
import type { Placed } from "./place-findings.ts";
import { readScenarios } from "./read-scenarios.ts";
import type { Scenario } from "./scenario-file.ts";

/** Plays every scenario of an app in a world of its own; what is not as expected is found at its place in the file. */
export async function playScenarios(app: PlayedApp, setting: LevelSetting): Promise<readonly Problem[]> {
  const read = await readScenarios(app, setting.worlds.scenarios, setting.signal);
  const found: Placed[] = [];
  for (const [index, scenario] of read.scenarios.entries()) {
    setting.signal.throwIfAborted();
    setting.doing(`scenario "${scenario.name}"`);
    for (const { path, message } of await playScenario(app, scenario, ["scenarios", index], setting))
      found.push({ path, message: `scenario "${scenario.name}": ${message}` });
  }
  return [...read.problems, ...read.place("CHECK_EXPECTATION_UNMET", found)];
}

async function playScenario(
  app: PlayedApp,
  scenario: Scenario,
  path: readonly (string | number)[],
  setting: LevelSetting,
): Promise<readonly Placed[]> {
  const fake = readFake(app.root, app.appId) ?? NO_TABLE;
  const answers = [...scenario.fake, ...fake.answers];
  const machine = scenario.host === "usual" ? undefined : MACHINES[scenario.host];
  const world = await setting.worlds.open(app, { ...fake, answers }, { ...(machine !== undefined && { machine }) });
  try {
    return judgeScenario(scenario, await install(app, scenario, world, setting), path);
  } catch (error) {
    setting.signal.throwIfAborted();
    return [{ path, message: `the install is refused: ${describeError(error)}` }];
  } finally {
    await world.close();
  }
}

async function install(
  { appId, dictionary }: PlayedApp,
  scenario: Scenario,
  { engine, host, requests }: World,
  { seed, signal }: LevelSetting,
): Promise<ScenarioEnd> {
  const presses = scenario.presses.values();
  const request = buildRequest(dictionary, scenario, createSeededRandom(seed));
  const { id } = await engine.install(appId, request);
  const task = await seeThrough(engine, id, () => presses.next().value ?? "skip", signal);
  const installed = (await host.apps()).find((one) => one.appId === appId);
  return {
    task,
    values: installed === undefined ? {} : await host.appConfig(installed.name),
    requests: requests(),
  };
}

/** What the scenario leaves open is as the check has it. */
function buildRequest(dictionary: Dictionary, { answers, consents, inputs }: Scenario, random: Random): InstallRequest {
  const usual = buildInstallRequest(dictionary, random);
  const given = Object.entries(inputs).map(([hookId, values]) => [hookId, { ...usual.inputs?.[hookId], ...values }]);
  return {
    answers: { ...usual.answers, ...answers },
    consents: { ...usual.consents, ...consents },
    inputs: { ...usual.inputs, ...Object.fromEntries(given) },
  };
}
