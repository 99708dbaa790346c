import type { ContextCall } from "../../../sandbox/contract.ts";
import type { Json } from "../../core/json/json.ts";
import { CheckpointBoard, type ShownCheckpoint } from "../ui/checkpoint-board.ts";
import type { Terminal } from "../ui/terminal.ts";

/** Takes the reports of a running script: keeps them for the document, and shows them at once where that is wanted. */
export class RunView {
  readonly log: string[] = [];
  readonly #board = new CheckpointBoard();
  readonly #terminal: Terminal;
  readonly #isLive: boolean;

  constructor(terminal: Terminal, isLive: boolean) {
    this.#terminal = terminal;
    this.#isLive = isLive;
  }

  get checkpoints(): readonly ShownCheckpoint[] {
    return this.#board.list();
  }

  /** Takes one context call, and the person's answer where it waits for one. */
  call(call: ContextCall, answer: Json | undefined): void {
    for (const checkpoint of this.#board.apply(call)) this.#showCheckpoint(checkpoint);
    if (call.kind === "setProgress") this.#show(`[${call.percent} %]`);
    if (call.kind !== "awaitCheckpointRetry") return;
    this.#show(`  ${call.error}`);
    if (answer === "skip") this.#showCheckpoint(this.#board.skip(call.id));
  }

  /** Takes one log line. */
  line(text: string): void {
    this.log.push(text);
    this.#show(text);
  }

  #showCheckpoint({ id, message, state }: ShownCheckpoint): void {
    this.#show(`[${state}] ${id}: ${message}`);
  }

  #show(text: string): void {
    if (this.#isLive) this.#terminal.stdout.write(`${text}\n`);
  }
}
