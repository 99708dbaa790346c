import { describe, expect } from "vitest";
import type { Notification } from "../../../src/engine/ports/environment.ts";
import { it } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { on } from "../../support/scripts/scripts.ts";
import { link, openDemo, SELECTED, signIn } from "./linking-demo.ts";

describe("the notification of a link", () => {
  it("comes once per target, after the link was committed, whatever the embedder does with it", async () => {
    const seen: unknown[] = [];
    const onNotification = (news: Notification) => {
      if (news.type === "pairing.linked")
        seen.push([news.target, JSON.parse(store.task(news.taskId)?.snapshot ?? "{}")]);
      throw new Error("the embedder's own fault");
    };
    const hooks = [link({ conditions: [on("other"), on("third")] })];
    const { engine, store } = await openDemo(hooks, { onNotification });
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, targets: ["other", "third"] }] });
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }, { state: "COMPLETED" }] });
    const committed = expect.objectContaining({ value: "NOTIFYING" });
    expect(seen).toEqual([
      ["other", committed],
      ["third", committed],
    ]);
  });

  it("does not come where a target it names was not installed: every condition of the link must pass", async () => {
    const third = { hooks: [{ ...signIn, events: ["onBeforeInstall"] }] };
    const hooks = [link({ conditions: [on("other"), on("third")] })];
    const { engine, told } = await openDemo(hooks, { timing: { linkStart: 50 } }, {}, { third });
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, targets: ["other", "third"] }] });
    const [missing] = (await settledTask(engine, id)).children;
    await engine.cancel(missing?.id ?? "");
    const view = await settledTask(engine, id);
    expect(view.children.map(({ state }) => state)).toEqual(["CANCELLED", "FAILED"]);
    expect(hookTask(view, "connect").failure?.message).toBe('"third" is not installed');
    expect(told).toEqual([]);
  });
});
