/** The table of `slipway check` while it grows: what has ended stands, what is played is redrawn below it. */

import type { AppReport } from "../../check/app-report.ts";
import { renderApp } from "../../check/reports/table.ts";
import type { CheckView } from "../../check/run-check.ts";
import { showControlCharacters } from "../../core/report/plain-text.ts";
import { findScreen, type Terminal } from "./terminal.ts";

/** A view that is closed. */
export interface CheckTable extends CheckView {
  /** Leaves nothing of what was being played. */
  done(): void;
}

/** The catalog as named, and the level asked for. */
export interface CheckedFor {
  readonly catalog: string;
  readonly level: number;
}

/** Shows nothing, for reports that stand on standard output. */
export const SILENT_TABLE: CheckTable = { begin: () => {}, playing: () => {}, ended: () => {}, done: () => {} };

/** A live table in a terminal; where the output is piped, apps as they end. */
export async function createCheckTable(terminal: Terminal, asked: CheckedFor): Promise<CheckTable> {
  const { isTTY, rows } = terminal.stdout;
  if (isTTY !== true || rows === 0) {
    return { ...SILENT_TABLE, ended: (report) => void terminal.stdout.write(`${renderApp(report, asked)}\n`) };
  }
  const { createLogUpdate } = await import("log-update");
  return new LiveTable(createLogUpdate(findScreen(terminal)), asked);
}

type Draw = ReturnType<typeof import("log-update").createLogUpdate>;

class LiveTable implements CheckTable {
  readonly #draw: Draw;
  readonly #asked: CheckedFor;
  readonly #playing = new Map<string, number>();
  #apps = 0;
  #ended = 0;

  constructor(draw: Draw, asked: CheckedFor) {
    this.#draw = draw;
    this.#asked = asked;
  }

  begin(apps: number): void {
    this.#apps = apps;
  }

  playing(appId: string, level: number): void {
    this.#playing.set(appId, level);
    this.#redraw();
  }

  ended(report: AppReport): void {
    this.#ended += 1;
    this.#playing.delete(report.appId);
    this.#draw.persist(showControlCharacters(renderApp(report, this.#asked)));
    this.#redraw();
  }

  done(): void {
    this.#draw.clear();
    this.#draw.done();
  }

  #redraw(): void {
    const lines = [...this.#playing].map(([appId, level]) => `▸ ${appId}: level ${level}`);
    this.#draw(showControlCharacters([...lines, `${this.#ended} of ${this.#apps} apps`].join("\n")));
  }
}
