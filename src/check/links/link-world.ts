/** A link in a world of its apps: what a person does with it, and how it stands. */
import type { InstallRequest, LinkRequest, PairingStatus, TaskView } from "../../engine/api.ts";
import { createSeededRandom, type Random } from "../../standin/random.ts";
import { describeError, describeFailure } from "../findings.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { generateInputs } from "../trials/generate-inputs.ts";
import { listTasks, seeThrough } from "../world/see-through.ts";
import { readSoundFake } from "../world/sound-fake.ts";
import type { World } from "../world/worlds.ts";
import { buildLinkedInstall, buildLinkRequest } from "./link-request.ts";
import type { PlayableLink } from "./list-links.ts";
import { awaitShown } from "./shown-status.ts";

/** A link that is not as it has to be; the message tells why. */
export class LinkFault extends Error {}

/** A target that can't be installed by itself, which is not the link's fault. */
export class TargetFault extends Error {}

/** Plays one link. Every method throws `LinkFault` where it does not come out as it has to, and the signal's reason. */
export class LinkWorld {
  readonly world: World;
  readonly #link: PlayableLink;
  readonly #setting: LevelSetting;
  readonly #random: Random;

  constructor(world: World, link: PlayableLink, setting: LevelSetting) {
    this.world = world;
    this.#link = link;
    this.#setting = setting;
    this.#random = createSeededRandom(setting.seed);
  }

  /** Installs the link's targets. Throws `TargetFault`. */
  async installTargets(links: readonly LinkRequest[] = []): Promise<void> {
    const { targets } = this.#link;
    for (const [index, target] of targets.entries()) {
      const own = index === targets.length - 1 ? links : [];
      const task = await this.#install(target, { links: own }).catch((error: unknown) => {
        this.#setting.signal.throwIfAborted();
        throw new TargetFault(`"${target.appId}" can't be installed: ${describeError(error)}`);
      });
      if (task.state !== "COMPLETED") throw new TargetFault(`"${target.appId}" ends ${describeFailure(task)}`);
      if (own.length > 0) this.#judgeRun(task);
    }
  }

  /** Installs the app of the link. */
  async installApp(request: InstallRequest): Promise<TaskView> {
    const task = await this.#install(this.#link.app, request);
    if (task.state !== "COMPLETED") throw new LinkFault(`the install is ${describeFailure(task)}`);
    return task;
  }

  /** Installs the app together with its link. */
  async installLinked(): Promise<void> {
    this.#judgeRun(await this.installApp({ links: [this.#request()] }));
  }

  /** Installs the app together with its link and what it links with. */
  async installAll(): Promise<void> {
    this.#judgeRun(await this.installApp(buildLinkedInstall(this.#link, this.#random)));
  }

  /** Presses the hook where its app shows it, or, where it does not, installs the last target with the link. */
  async connectLater(): Promise<void> {
    const { app, hook } = this.#link;
    const surface = hook.surfaces.find((one) => one !== "installPicker");
    if (surface === undefined) return this.installTargets([{ ...this.#request(), targets: [app.appId] }]);
    await this.installTargets();
    await this.judgeStatus("installed");
    const { id } = await this.world.engine.runAction(app.appId, hook.id, {
      inputs: generateInputs(hook, this.#random),
      surface,
    });
    this.#judgeRun(await this.#seeThrough(id));
  }

  /** The link has not run. */
  judgeNotRun(task: TaskView): void {
    const run = this.#findRun(task);
    if (run !== undefined) throw new LinkFault(`it runs although nobody asked for it, and ends ${run.state}`);
  }

  /** The panels of both sides show the link as it is; one that is not there has none. */
  async judgeStatus(status: PairingStatus["status"]): Promise<void> {
    const { app, targets } = this.#link;
    for (const { appId } of targets) {
      await this.#awaitStatus(app.appId, appId, status);
      if (status !== "not installed") await this.#awaitStatus(appId, app.appId, status);
    }
  }

  async #awaitStatus(of: string, other: string, status: PairingStatus["status"]): Promise<void> {
    const { signal } = this.#setting;
    const shown = await awaitShown(this.world.engine, this.#link, [of, other], status, signal);
    if (shown !== status) throw new LinkFault(`"${of}" shows "${other}" as ${shown ?? "not there"}, not as ${status}`);
  }

  #judgeRun(task: TaskView): void {
    const run = this.#findRun(task);
    if (run === undefined) throw new LinkFault("it does not run");
    if (run.state !== "COMPLETED") throw new LinkFault(describeFailure(run));
    const open = run.checkpoints.find(({ state }) => state !== "COMPLETED" && state !== "SKIPPED");
    if (open !== undefined)
      throw new LinkFault(`it completes and did not come to its checkpoint "${open.id}" (${open.message})`);
  }

  #findRun(task: TaskView): TaskView | undefined {
    const { app, hook } = this.#link;
    return listTasks(task).find(
      ({ kind, appId, hookId }) => kind !== "install" && appId === app.appId && hookId === hook.id,
    );
  }

  async #install({ appId, dictionary }: PlayedApp, changes: InstallRequest): Promise<TaskView> {
    const usual = buildInstallRequest(dictionary, this.#random);
    const { id } = await this.world.engine.install(appId, { ...usual, ...changes });
    return this.#seeThrough(id);
  }

  #seeThrough(id: string): Promise<TaskView> {
    return seeThrough(this.world.engine, id, () => "skip", this.#setting.signal);
  }

  #request(): LinkRequest {
    return buildLinkRequest(this.#link, this.#random);
  }
}

/** Opens a world that offers a link's apps, each with its fake where it has a sound one. */
export async function openLinkWorld(link: PlayableLink, setting: LevelSetting): Promise<LinkWorld> {
  const beside = link.targets.map((app) => ({ app, fake: readSoundFake(app) }));
  const world = await setting.worlds.open(link.app, readSoundFake(link.app), { beside });
  return new LinkWorld(world, link, setting);
}
