/** A story whose engine dies at every turn, many deaths in each run, and each run held against an undisturbed one. */
import { createSeededRandom } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import { describeError, Findings } from "../findings.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { Fate } from "../world/mortal-store.ts";
import { findHookAtWork } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import { judgeRun } from "./judge-run.ts";
import { Deaths, type Moment } from "./moments.ts";
import type { PlayedEnd } from "./played-end.ts";
import { SentRequests } from "./sent-requests.ts";
import type { Story } from "./story.ts";
import { Undying } from "./undying.ts";

/** Deaths of one run: far enough from each other that its tasks get on in between, as an engine gives up one that does not. */
const DEATHS = 10;

/** Runs at a time: they wait for the host, the app and each other's scripts. */
const LANES = 3;

/** What came of a story's crashes. */
export type PlayedCrashes = Pick<Coverage, "reached" | "all" | "missed">;

/** Plays the crashes of one story. Everything rejects with the signal's reason; every world it opened is closed then. */
export class CrashPlay {
  readonly #story: Story;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;

  constructor(story: Story, setting: LevelSetting, findings: Findings) {
    this.#story = story;
    this.#setting = setting;
    this.#findings = findings;
  }

  /** Plays it once without crashes, for others to be held against. */
  async playReference(): Promise<PlayedEnd> {
    this.#setting.doing("the run without crashes");
    return await this.#run(this.#plan([]), false);
  }

  /** Plays it again and again, and holds each against the reference. */
  async crash(reference: PlayedEnd): Promise<PlayedCrashes> {
    this.#setting.doing("hooks played back at every step");
    await this.#replay(reference);
    const moments = reference.deaths.moments().filter((moment) => this.#story.dies(moment));
    const chosen = chooseMoments(moments, this.#story.mostRuns * DEATHS, this.#setting.seed);
    const died = await this.#crashAll(reference, chosen);
    const left = moments.length - chosen.length;
    const late = chosen.length - died;
    return {
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
    for (const findings of [new Findings(this.#story.app), this.#findings]) {
      const where = `where it is played back at every step${this.#story.about}`;
      await this.#hold(reference, this.#plan([]), true, () => where, findings);
      if (findings.isEmpty()) return;
    }
  }

  /** Plays every run until one is not as the reference; how many moments were died at. */
  async #crashAll(reference: PlayedEnd, chosen: readonly Moment[]): Promise<number> {
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
    const deaths = this.#plan(planned);
    const found = new Findings(this.#story.app);
    const describe = () => {
      const [first] = deaths.died();
      const more = deaths.died().length > 1 ? `, and ${deaths.died().length - 1} times more` : "";
      return `where the engine dies ${first?.words ?? "nowhere"}${more}${this.#story.about}`;
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
      judgeRun(this.#story.app, reference, played, describe(), findings);
    } catch (error) {
      this.#setting.signal.throwIfAborted();
      findings.add("CHECK_CRASH_SHOWS", `it can't be played ${describe()}: ${describeError(error)}`, []);
    }
  }

  async #run(deaths: Deaths, alwaysReplay: boolean): Promise<PlayedEnd> {
    const { app, fake, beside } = this.#story;
    let world: World | null = null;
    const rows = [fake, ...beside.map((offer) => offer.fake)].flatMap(({ answers }) => answers);
    const sent = new SentRequests(rows, () => (world === null || world.isDead() ? null : findHookAtWork(world.engine)));
    const fate: Fate = {
      diesBefore: (write) => deaths.diesBefore(write),
      diesAfter: (write) => deaths.diesAfter(write),
      diesAtAnswer: (request) => {
        const sender = sent.whose(request);
        return sender !== null && deaths.diesAtAnswer(sender.hookId, sender.kind);
      },
    };
    const { weather } = sent;
    const opened = await this.#setting.worlds.open(app, fake, { beside, fate, alwaysReplay, weather });
    world = opened;
    const person = new Undying(opened, this.#setting.signal);
    try {
      const end = await this.#story.play(person);
      return { end, tasks: await person.listTasks(), stops: person.stops(), asked: person.asked(), sent, deaths };
    } finally {
      await opened.close();
    }
  }

  #plan(moments: readonly Moment[]): Deaths {
    return new Deaths(moments, this.#story.app.appId);
  }
}

/** As many as there is time for, those of hooks before others, drawn by the seed; in their order. */
function chooseMoments(moments: readonly Moment[], most: number, seed: number): readonly Moment[] {
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
