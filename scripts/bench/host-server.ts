/**
 * The other side of the host bench, a process of its own: a stand-in whose catalog is the folder given, and a bare echo.
 * Sends their addresses, ends with its parent.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { createStandinHost } from "../../src/standin/standin.ts";

/** Frames that begin so come back as they are; the others are calls of a client, answered with the least. */
const ECHO = "echo";

function answerTo(text: string): string {
  const { id, method } = JSON.parse(text);
  return JSON.stringify({ jsonrpc: "2.0", id, result: method === "auth.login_ex" ? { response_type: "SUCCESS" } : [] });
}

const dir = mkdtempSync(join(tmpdir(), "slipway-bench-"));
const [folder = ""] = process.argv.slice(2);
const standin = await createStandinHost({ dir, speed: 200, catalogs: [folder] });
const echo = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
echo.on("connection", (socket) => {
  socket.on("message", (data) => {
    const text = data.toString();
    socket.send(text.startsWith(ECHO) ? text : answerTo(text));
  });
});
echo.on("listening", () => {
  const address = echo.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { url, username, apiKey } = standin;
  process.send?.({ url, username, apiKey, echo: `ws://127.0.0.1:${port}` });
});
process.on("disconnect", async () => {
  await standin.close();
  rmSync(dir, { recursive: true, force: true });
  process.exit(0);
});
