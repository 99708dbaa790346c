import type { Command } from "commander";
import type { Terminal } from "./ui/terminal.ts";

/** Gives a command its arguments, options and action; the action writes through the terminal. */
export type DefineCommand = (command: Command, terminal: Terminal) => void;

/** One command of the command line, known by name before anything it needs is loaded. */
export interface CommandRow {
  readonly name: string;
  /** One line of the help. */
  readonly summary: string;
  /** Loads what the command uses. */
  load(): Promise<DefineCommand>;
}
