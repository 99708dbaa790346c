/**
 * Sockets read in small portions, one after the other, with the rest of the process between them: however dense what an
 * app sends (heads without end, chunks of one byte), parsing it holds the engine's thread for a few ms at a time.
 */
import type { Duplex } from "node:stream";

/** Bytes parsed at once: of the densest there is, about 2 ms. */
const PORTION = 4 * 1024;
/** Ms all sockets together take before the rest of the process has its turn. */
const TURN_MS = 5;

const waiting: (() => void)[] = [];
let isDue = false;

/** Makes a socket that is read by `readable` and `read()` give one portion a turn; other sockets have theirs between. */
export function readInTurns(socket: Duplex): void {
  const read = socket.read.bind(socket);
  let turn: "none" | "asked" | "granted" = "none";
  socket.read = () => {
    if (turn === "granted") {
      turn = "none";
      // Without a size where nothing is there: what else `read` does then is to go on receiving, or to end.
      return socket.readableLength === 0 ? read() : read(Math.min(PORTION, socket.readableLength));
    }
    if (turn === "none") {
      turn = "asked";
      queue(() => {
        turn = "granted";
        socket.emit("readable");
      });
    }
    return null;
  };
}

function queue(turn: () => void): void {
  waiting.push(turn);
  if (!isDue) setImmediate(takeTurns);
  isDue = true;
}

function takeTurns(): void {
  const end = performance.now() + TURN_MS;
  do waiting.shift()?.();
  while (waiting.length > 0 && performance.now() < end);
  isDue = waiting.length > 0;
  if (isDue) setImmediate(takeTurns);
}
