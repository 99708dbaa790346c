/**
 * What `slipway dev` does with every save: says what is wrong with it and where, has the engine read the catalog again, and
 * tries the hook or widget that is being edited.
 *
 * Invariant: one script is tried at a time, as it was saved last. Nothing goes on once `close` has resolved.
 */
import { join, resolve } from "node:path";
import { type AuthorCheck, createAuthorCheck } from "../../adapters/catalog/file-check/author-check.ts";
import { type CatalogWatch, type ChangedFiles, watchCatalog } from "../../adapters/catalog/watch/watch-catalog.ts";
import { readPort } from "../../adapters/url-parts.ts";
import { type ListedApp, readApp } from "../../check/read-apps.ts";
import { readScenarios } from "../../check/scenarios/read-scenarios.ts";
import { createScenarioSandbox } from "../../check/scenarios/scenario-sandbox.ts";
import type { Subject } from "../../check/subject.ts";
import { EditedApps, type TouchedApps } from "../../check/watch/edited-apps.ts";
import { inspectFake, readFake } from "../../check/world/read-fake.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine } from "../../engine/api.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { printError, type Terminal } from "../ui/terminal.ts";
import { printProblems } from "../workbench/print-problems.ts";
import { EditedScripts } from "./edited-scripts.ts";
import { Trials } from "./trials.ts";

/** Times a busy host is asked where an app is; it is waited for half a second each time. */
const HOST_TRIES = 10;

/** Where apps are developed. */
export interface Workshop {
  /** As it was named. */
  readonly catalog: string;
  readonly engine: Pick<Engine, "apps" | "syncCatalog">;
  readonly terminal: Terminal;
  /** Gives the host the fake of an app as it is now. */
  offer(appId: string, fake: AppTable): Promise<void>;
  /** The ports at which the host's apps answer. */
  appPorts(): Promise<ReadonlySet<number>>;
  /** It can't go on. */
  failed(error: unknown): void;
}

/** Begins with every app, and goes on with what is saved. */
export class Development {
  readonly #workshop: Workshop;
  readonly #check: AuthorCheck = createAuthorCheck();
  readonly #scenarios = createScenarioSandbox();
  readonly #apps: EditedApps;
  readonly #scripts: EditedScripts;
  readonly #trials: Trials;
  #watch: CatalogWatch | null = null;
  #last: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
    this.#apps = new EditedApps(workshop.catalog, []);
    this.#scripts = new EditedScripts(resolve(workshop.catalog));
    this.#trials = new Trials(workshop.terminal, workshop.failed);
  }

  /** Throws `CATALOG_UNREADABLE`. */
  async begin(): Promise<void> {
    const { catalog, failed } = this.#workshop;
    this.#watch = await watchCatalog(catalog, { changed: (files) => this.#look(() => this.#change(files)), failed });
    this.#look(() => this.#meet());
  }

  /** Ends what is tried and watches no longer. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch?.close();
    await Promise.all([this.#trials.close(), this.#last]);
    // what a look had begun meanwhile
    await this.#trials.close();
    await Promise.all([this.#check.close(), this.#scenarios.close()]);
  }

  /** One look after the other: each compares with the one before. */
  #look(how: () => Promise<void>): void {
    const next = this.#last.then(async () => {
      if (!this.#stop.signal.aborted) await how();
    });
    this.#last = next.catch((error: unknown) => {
      if (error !== this.#stop.signal.reason) this.#workshop.failed(error);
    });
  }

  async #meet(): Promise<void> {
    const { touched } = await this.#apps.begin();
    let faulty = 0;
    for (const app of touched) {
      if (this.#stop.signal.aborted) return;
      const { dictionary, ...subject } = await this.#read(app);
      if (dictionary !== null) this.#scripts.learn(dictionary);
      if (subject.problems.length > 0) await this.#print(subject);
      if (subject.problems.some(({ severity }) => severity === "error")) faulty += 1;
    }
    this.#say(`${touched.length} ${touched.length === 1 ? "app" : "apps"}, ${faulty} with errors; waiting for changes`);
    await this.#apps.learn(touched);
  }

  async #change(files: ChangedFiles): Promise<void> {
    const looked = await this.#apps.change(files);
    if (looked.touched.length + looked.removed.length === 0) return;
    await Promise.all([tell(this.#workshop, this.#workshop.engine.syncCatalog()), this.#show(looked, files)]);
    await this.#apps.learn(looked.touched);
  }

  async #show({ touched, removed }: TouchedApps, files: ChangedFiles): Promise<void> {
    for (const appId of removed) this.#say(`- ${appId}: removed`);
    const subjects: Subject[] = [];
    for (const app of touched) {
      if (this.#stop.signal.aborted) return;
      const subject = await this.#read(app);
      if (subject.problems.length > 0) await this.#print(subject);
      else this.#say(`✓ ${subject.appId}: no problem`);
      // a fake that is wrong answers nothing
      if (inspectFake(subject.root, subject.appId) !== null) continue;
      subjects.push(subject);
      await this.#offer(subject, files);
    }
    const findApp = (appId: string) => findAddress(this.#workshop, appId);
    const trials = subjects.map(async ({ root, file, dictionary }) => {
      const edited = dictionary === null ? [] : await this.#scripts.find(dictionary, files);
      return edited.flatMap((one) => (dictionary === null ? [] : { root, file, dictionary, edited: one, findApp }));
    });
    this.#trials.take((await Promise.all(trials)).flat());
  }

  /** An app with what is wrong with its scripts, its fake and its scenarios. */
  async #read(app: ListedApp): Promise<Subject> {
    const subject = await readApp(app, this.#check);
    const { dictionary, problems, root, appId } = subject;
    const fake = [inspectFake(root, appId) ?? []].flat();
    if (dictionary === null) return { ...subject, problems: [...problems, ...fake] };
    const scenarios = await readScenarios({ ...subject, dictionary }, this.#scenarios, this.#stop.signal);
    return { ...subject, problems: [...problems, ...scenarios.problems, ...fake] };
  }

  async #offer({ root, appId }: Subject, files: ChangedFiles): Promise<void> {
    const fake = files === "all" ? null : readFake(root, appId);
    if (fake !== null) await tell(this.#workshop, this.#workshop.offer(appId, fake));
  }

  #print({ file, problems }: Pick<Subject, "file" | "problems">): Promise<void> {
    return printProblems(this.#workshop.terminal, { file: join(this.#workshop.catalog, file), problems });
  }

  #say(text: string): void {
    this.#workshop.terminal.stdout.write(`${text}\n`);
  }
}

/** Where an installed app answers. A host too busy to say so is asked again: what it said earlier may be of before the install. */
async function findAddress(
  { engine, appPorts }: Pick<Workshop, "engine" | "appPorts">,
  appId: string,
): Promise<string | null> {
  for (let left = HOST_TRIES; ; left -= 1) {
    const app = (await engine.apps()).find((one) => one.appId === appId);
    const address = app?.installed?.baseUrl;
    if (address === undefined && app?.lastKnown !== undefined && left > 1) continue;
    const url = URL.parse(address ?? "");
    // the port is its script's word: at another one answers whatever listens on all addresses of this machine
    return url !== null && (await appPorts()).has(readPort(url)) ? url.href : null;
  }
}

/** What fails of one save is told, and the next one is another attempt. */
async function tell({ terminal }: Workshop, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    printError(terminal, error, "text");
  }
}
