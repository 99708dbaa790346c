import type { Command } from "commander";
import type { Terminal } from "./ui/terminal.ts";

/** One command: adds itself to the program and writes through the terminal. */
export type RegisterCommand = (program: Command, terminal: Terminal) => void;
