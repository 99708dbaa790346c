/** The worker of the streams as the browser's own tools have it. */
import type { Browser } from "playwright-core";

/** Ids of the workers that tabs share. */
export async function findWorkers(browser: Browser): Promise<readonly string[]> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  await session.detach();
  return targetInfos.filter(({ type }) => type === "shared_worker").map(({ targetId }) => targetId);
}

/** Ends a worker. */
export async function closeWorker(browser: Browser, targetId: string): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  await session.send("Target.closeTarget", { targetId });
  await session.detach();
}

/** Has a worker do nothing any more, though it is there; it ends with its browser. */
export async function hangWorker(browser: Browser, targetId: string): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const params = { expression: "setTimeout(() => { for (;;); })" };
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params });
  const answered = new Promise((resolve) => session.once("Target.receivedMessageFromTarget", resolve));
  await session.send("Target.sendMessageToTarget", { sessionId, message });
  await answered;
}
