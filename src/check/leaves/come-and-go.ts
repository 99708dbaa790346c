/** Installs and uninstalls as a person asks for them, and what an uninstall may leave. */
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import type { InstallRequest, TaskView, UninstallRequest } from "../../engine/api.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import type { LevelSetting } from "../levels/level.ts";
import { listTasks, seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import type { Trace } from "./host-sight.ts";

/** What came of an install: why it is not done, and the hook it stopped at. */
export interface NotInstalled {
  readonly why: string;
  readonly hookId: string | null;
}

/** Installs an app; null: it is done, and so is every hook. A hook that waits for a person is skipped. */
export async function install(
  { engine }: Pick<World, "engine">,
  appId: string,
  request: InstallRequest,
  { signal }: Pick<LevelSetting, "signal">,
): Promise<NotInstalled | null> {
  try {
    const { id } = await engine.install(appId, request);
    const task = await seeThrough(engine, id, () => "skip", signal);
    const stopped = listTasks(task).findLast(({ kind, state }) => kind === "hook" && state !== "COMPLETED");
    if (task.state === "COMPLETED" && stopped === undefined) return null;
    return { why: describeFailure(stopped ?? task), hookId: stopped?.hookId ?? null };
  } catch (error) {
    signal.throwIfAborted();
    return { why: describeError(error), hookId: null };
  }
}

/** Uninstalls an app; null, with a finding, where the app or work for it is left. */
export async function uninstall(
  { engine, host, standin }: Pick<World, "engine" | "host" | "standin">,
  appId: string,
  request: UninstallRequest,
  { signal }: Pick<LevelSetting, "signal">,
  findings: Findings,
): Promise<TaskView | null> {
  const { id } = await engine.uninstall(appId, request);
  const task = await engine.settled(id, signal);
  const isThere = (await host.apps()).some((app) => app.appId === appId);
  const works =
    engine.tasks({ unfinished: true }).some((other) => other.id !== id) ||
    standin.control.jobs().some(({ finishedAt }) => finishedAt === null);
  if (task.state === "COMPLETED" && !isThere && !works) return task;
  const state = `${task.state}: ${describeFailure(task)}`;
  const rest = `${isThere ? ", the app is still installed" : ""}${works ? ", work for it goes on" : ""}`;
  findings.add("CHECK_UNINSTALL_FAILED", `the uninstall is ${state}${rest}`, []);
  return null;
}

/** Why something may stay of an app that was uninstalled with its data; null: it may not. */
export function excuse({ kind, at }: Trace, { result }: TaskView): string | null {
  if (kind === "share") return "a share stays until somebody removes it";
  if (kind === "file" || kind === "app" || result === undefined || !("emptied" in result)) return null;
  const isDataset = result.emptied.some((path) => isAtOrBelow(path, at));
  return isDataset ? "a dataset stays, empty, with its snapshots" : null;
}
