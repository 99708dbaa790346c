/** The budget of one plan's macros: without it a chain of defaults that double each other fills the memory. */

/** Most text the macros of a plan may yield, in UTF-16 units; what goes into other macros counts again. */
export const PLAN_TEXT = 4 * 1024 * 1024;
/** Most macros a plan may evaluate. */
export const PLAN_CALLS = 10_000;
/** Most values, macros and defaults of questions that may be open within each other: the stack holds a few times more. */
const PLAN_LEVELS = 400;
/** Units of a place's path that cost nothing: plans keep the paths of what is secret. */
const FREE_PATH = 1_000;

/** Counts what a plan has used of its budget; once it is overdrawn it stays so. */
export class PlanBudget {
  #text = 0;
  #calls = 0;
  #levels = 0;

  /** Whether nothing more may be evaluated. */
  get overdrawn(): boolean {
    return this.#text > PLAN_TEXT || this.#calls > PLAN_CALLS;
  }

  /** Counts one macro at a place whose path has so many units. */
  addCall(pathUnits: number): void {
    this.#calls += 1;
    this.#text += Math.max(0, pathUnits - FREE_PATH);
  }

  /** Counts text a macro yields, in UTF-16 units. */
  addText(units: number): void {
    this.#text += units;
  }

  /** Opens a level; false, and nothing is opened, where too many are open. */
  enter(): boolean {
    if (this.#levels >= PLAN_LEVELS) return false;
    this.#levels += 1;
    return true;
  }

  leave(): void {
    this.#levels -= 1;
  }
}
