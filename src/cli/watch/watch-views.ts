/** What `slipway check --watch` shows: a table that stays, lines where the output is piped, or JSON lines. */

import type { AppReport } from "../../check/app-report.ts";
import { renderApp, renderSummary } from "../../check/reports/table.ts";
import type { WatchView } from "../../check/watch/watch-check.ts";
import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { CheckedFor } from "../ui/check-table.ts";
import { findScreen, printJsonLine, type Terminal } from "../ui/terminal.ts";

/** A view that is closed. */
export interface ClosedWatchView extends WatchView {
  /** Leaves the last state standing. */
  done(): void;
}

/** The view for a terminal, or for what reads its output. */
export async function createWatchView(
  terminal: Terminal,
  asked: CheckedFor,
  isJson: boolean,
): Promise<ClosedWatchView> {
  if (isJson) return new JsonLines(terminal, asked);
  const { isTTY, rows } = terminal.stdout;
  if (isTTY !== true || rows === 0) return new PrintedLines(terminal, asked);
  const { createLogUpdate } = await import("log-update");
  return new StandingTable(createLogUpdate(findScreen(terminal)), () => terminal.stdout.rows ?? 24, asked);
}

/** What is known of each app now. */
abstract class LatestReports implements ClosedWatchView {
  protected readonly asked: CheckedFor;
  protected readonly reports = new Map<string, AppReport>();

  constructor(asked: CheckedFor) {
    this.asked = asked;
  }

  playing(_appId: string, _level: number): void {}

  ended(report: AppReport): void {
    this.reports.set(report.appId, report);
  }

  removed(appId: string): void {
    this.reports.delete(appId);
  }

  abstract rested(): void;

  done(): void {}

  protected summarize(): string {
    return renderSummary({ ...this.asked, apps: [...this.reports.values()] });
  }
}

/** Apps as they end, and a line when all have. */
class PrintedLines extends LatestReports {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, asked: CheckedFor) {
    super(asked);
    this.#terminal = terminal;
  }

  override ended(report: AppReport): void {
    super.ended(report);
    this.#print(renderApp(report, this.asked));
  }

  override removed(appId: string): void {
    super.removed(appId);
    this.#print(`- ${appId}: removed`);
  }

  rested(): void {
    this.#print(`${this.summarize()}; waiting for changes`);
  }

  #print(text: string): void {
    this.#terminal.stdout.write(`${text}\n`);
  }
}

/** A report a line, as in the document's `apps`; what else there is to tell is told apart from them by its member. */
class JsonLines extends LatestReports {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, asked: CheckedFor) {
    super(asked);
    this.#terminal = terminal;
  }

  override ended(report: AppReport): void {
    super.ended(report);
    printJsonLine(this.#terminal, report);
  }

  override removed(appId: string): void {
    super.removed(appId);
    printJsonLine(this.#terminal, { removed: appId });
  }

  rested(): void {
    const apps = this.reports.size;
    const reached = [...this.reports.values()].filter(({ level }) => level >= this.asked.level).length;
    printJsonLine(this.#terminal, { summary: { apps, reached, failed: apps - reached } });
  }
}

type Draw = ReturnType<typeof import("log-update").createLogUpdate>;

/** One picture that is drawn anew: what needs its author's eyes stands first, as the rest may not fit. */
class StandingTable extends LatestReports {
  readonly #draw: Draw;
  readonly #rows: () => number;
  readonly #playing = new Map<string, number>();
  #isAtRest = false;

  constructor(draw: Draw, rows: () => number, asked: CheckedFor) {
    super(asked);
    this.#draw = draw;
    this.#rows = rows;
  }

  override playing(appId: string, level: number): void {
    this.#isAtRest = false;
    this.#playing.set(appId, level);
    this.#redraw();
  }

  override ended(report: AppReport): void {
    super.ended(report);
    this.#playing.delete(report.appId);
    this.#redraw();
  }

  override removed(appId: string): void {
    super.removed(appId);
    this.#playing.delete(appId);
    this.#redraw();
  }

  rested(): void {
    this.#isAtRest = true;
    this.#playing.clear();
    this.#redraw();
  }

  override done(): void {
    this.#draw.done();
  }

  #redraw(): void {
    const reports = [...this.reports.values()].sort((a, b) => (a.appId < b.appId ? -1 : 1));
    const isDown = ({ level }: AppReport): boolean => level < this.asked.level;
    const lines = [...reports.filter(isDown), ...reports.filter((report) => !isDown(report))]
      .filter(({ appId }) => !this.#playing.has(appId))
      .flatMap((report) => renderApp(report, this.asked).split("\n"));
    const playing = [...this.#playing].map(([appId, level]) => `▸ ${appId}: level ${level}`);
    const room = Math.max(1, this.#rows() - playing.length - 3);
    const shown = lines.length > room ? [...lines.slice(0, room), `... and ${lines.length - room} lines more`] : lines;
    const end = `${this.summarize()}${this.#isAtRest ? "; waiting for changes" : ""}`;
    this.#draw(showControlCharacters([...shown, ...playing, end].join("\n")));
  }
}
