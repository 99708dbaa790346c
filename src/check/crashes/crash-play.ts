/** An app whose engine dies at every turn, many deaths in each run, and each run held against an undisturbed one. */
import type { AppTable } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import { describeError, Findings } from "../findings.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import type { Fate } from "../world/mortal-store.ts";
import { findHookAtWork } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import { CrashRun } from "./crash-run.ts";
import { judgeReference, judgeRun, type PlayedEnd } from "./judge-run.ts";
import { Deaths, type Moment } from "./moments.ts";
import { SentRequests } from "./sent-requests.ts";

/** Deaths of one run: far enough from each other that its tasks get on in between, as an engine gives up one that does not. */
const DEATHS = 10;

/** Runs of one app. */
const MOST_RUNS = 16;

/** Runs at a time: they wait for the host, the app and each other's scripts. */
const LANES = 3;

/** Plays the crashes of one app. */
export class CrashPlay {
  readonly #app: PlayedApp;
  readonly #fake: AppTable;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;

  constructor(app: PlayedApp, fake: AppTable, setting: LevelSetting, findings: Findings) {
    this.#app = app;
    this.#fake = fake;
    this.#setting = setting;
    this.#findings = findings;
  }

  /** Rejects with the signal's reason; every world it opened is closed then. */
  async play(): Promise<Coverage> {
    const log = new Deaths([]);
    this.#setting.doing("the run without crashes");
    const reference = await this.#run(log, false);
    judgeReference(this.#app, reference.end, this.#findings);
    this.#setting.doing("hooks played back at every step");
    await this.#replay(reference);
    const moments = log.moments();
    const chosen = chooseMoments(moments, this.#setting.seed);
    const died = await this.#crash(reference, chosen);
    const left = moments.length - chosen.length;
    const late = chosen.length - died;
    return {
      of: "crashes",
      reached: died,
      all: moments.length,
      missed: [
        ...(left > 0 ? [`${left} moments were left out by the seed`] : []),
        ...(late > 0 ? [`${late} moments did not come again`] : []),
      ],
    };
  }

  /** Plays hooks back at every step; what that shows has to show again. */
  async #replay(reference: PlayedEnd): Promise<void> {
    for (const findings of [new Findings(this.#app), this.#findings]) {
      const where = "where it is played back at every step";
      await this.#hold(reference, new Deaths([]), true, () => where, findings);
      if (findings.isEmpty()) return;
    }
  }

  /** Plays every run until one is not as the reference; how many moments were died at. */
  async #crash(reference: PlayedEnd, chosen: readonly Moment[]): Promise<number> {
    const count = Math.ceil(chosen.length / DEATHS);
    const runs = Array.from({ length: count }, (_, run) => chosen.filter((_, index) => index % count === run));
    const queue = runs.values();
    let died = 0;
    const playQueued = async (): Promise<void> => {
      for (const planned of queue) {
        if (!this.#findings.isEmpty()) return;
        const came = await this.#crashAt(reference, planned);
        died += came;
        this.#setting.doing(`${died} of ${chosen.length} crashes`);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, playQueued));
    for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
    return died;
  }

  /**
   * Plays a run that dies as planned. Where it is not as the reference, runs that die once say better why; what none of
   * them shows has to show again, as a machine that is short of time shows much by itself.
   */
  async #crashAt(reference: PlayedEnd, planned: readonly Moment[]): Promise<number> {
    const { died, found } = await this.#judge(reference, planned);
    if (found.isEmpty()) return died.length;
    for (const again of [...(died.length > 1 ? died.map((moment) => [moment]) : []), planned]) {
      const { found } = await this.#judge(reference, again);
      if (found.isEmpty()) continue;
      this.#findings.addAll(found);
      break;
    }
    return died.length;
  }

  async #judge(reference: PlayedEnd, planned: readonly Moment[]) {
    const deaths = new Deaths(planned);
    const found = new Findings(this.#app);
    const describe = () => {
      const [first] = deaths.died();
      const more = deaths.died().length > 1 ? `, and ${deaths.died().length - 1} times more` : "";
      return `where the engine dies ${first?.words ?? "nowhere"}${more}`;
    };
    await this.#hold(reference, deaths, false, describe, found);
    return { died: deaths.died(), found };
  }

  /** Plays a run and holds it against the reference; one that can't be played is found as well. */
  async #hold(
    reference: PlayedEnd,
    deaths: Deaths,
    alwaysReplay: boolean,
    describe: () => string,
    findings: Findings,
  ): Promise<void> {
    try {
      const played = await this.#run(deaths, alwaysReplay);
      judgeRun(this.#app, reference, played, describe(), findings);
    } catch (error) {
      this.#setting.signal.throwIfAborted();
      findings.add("CHECK_CRASH_SHOWS", `the app can't be played ${describe()}: ${describeError(error)}`, []);
    }
  }

  async #run(deaths: Deaths, alwaysReplay: boolean): Promise<PlayedEnd> {
    let world: World | null = null;
    const sent = new SentRequests(this.#fake.answers, () =>
      world === null || world.isDead() ? null : findHookAtWork(world.engine),
    );
    const fate: Fate = {
      diesBefore: (write) => deaths.diesBefore(write),
      diesAfter: (write) => deaths.diesAfter(write),
      diesAtAnswer: (request) => {
        const sender = sent.whose(request);
        return sender !== null && deaths.diesAtAnswer(sender.hookId, sender.kind);
      },
    };
    const opened = await this.#setting.worlds.open(this.#app, this.#fake, {
      fate,
      alwaysReplay,
      weather: sent.weather,
    });
    world = opened;
    try {
      return { end: await new CrashRun(this.#app, opened, this.#setting).play(), sent, deaths };
    } finally {
      await opened.close();
    }
  }
}

/** As many as there is time for, those of hooks before others, drawn by the seed; in their order. */
function chooseMoments(moments: readonly Moment[], seed: number): readonly Moment[] {
  const most = MOST_RUNS * DEATHS;
  if (moments.length <= most) return moments;
  const random = createSeededRandom(seed);
  const drawn = moments.map((moment) => ({ moment, rank: random.between(0, 1) + (moment.hookId === null ? 1 : 0) }));
  const chosen = new Set(
    drawn
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, most)
      .map(({ moment }) => moment.key),
  );
  return moments.filter(({ key }) => chosen.has(key));
}
