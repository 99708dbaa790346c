/** News of the host, the engine and the children, as a lifecycle keeps them. Pure. */
import { updateAppKnown } from "../../src/core/task/task-failures.ts";
import { isChildOver } from "../../src/core/task-states.ts";
import type { ChildNews, EngineNews, HostNews, LifecycleContext, WorkList } from "./context.ts";

/** The context after news; an ended call leaves what it did, whatever became of it. */
export function noteNews(
  context: LifecycleContext,
  news: HostNews | EngineNews | ChildNews,
): Partial<LifecycleContext> {
  switch (news.type) {
    case "host.app.progress":
      return { percent: news.percent };
    case "host.app.seen":
      return { appState: news.state };
    case "host.removing":
      return { work: addRemoving(context.work, news) };
    case "host.restoring":
      return { work: addWork(context.work, news) };
    case "host.done":
      return {
        calling: "nothing",
        app: context.calling === "app" ? "changed" : context.app,
        work: addWork(context.work, news),
        marks: unite(context.marks, news.marks),
        // It was seen before the call.
        ...(news.calls && { appState: null }),
      };
    case "host.failed":
    case "engine.failed":
      return {
        calling: "nothing",
        app: context.calling === "app" ? updateAppKnown(news.done, context.app) : context.app,
        work: addWork(context.work, news),
        marks: unite(context.marks, news.marks),
        failure: news.failure,
      };
    case "child.changed":
      return {
        children: { ...context.children, [news.from]: news.state },
        // A child at work may lose its marks again.
        marks: isChildOver(news.state) ? unite(context.marks, news.marks) : context.marks,
      };
  }
}

/** Nobody waits for the call under way any more; what was done before it is known. */
export function loseSight({ calling, app }: LifecycleContext): Partial<LifecycleContext> {
  return { calling: "nothing", app: calling === "app" && app !== "changed" ? "unknown" : app };
}

/** The app did not come to run: the newest mark about that is the only one. */
export function markNotRunning({ marks, appState }: LifecycleContext): Partial<LifecycleContext> {
  const others = marks.filter((mark) => !mark.startsWith("notRunning: "));
  return { marks: [...others, `notRunning: ${appState ?? "unknown"}`] };
}

function addWork(
  work: WorkList,
  {
    directories,
    shares,
    snapshots,
    repaired,
    removed,
    emptied,
    left,
    held,
    restored,
    setAside,
    forgotten,
    calls,
  }: WorkList,
): WorkList {
  return {
    ...work,
    ...(directories && { directories: unite(work.directories, directories) }),
    ...(shares && { shares: unite(work.shares, shares) }),
    ...(snapshots && { snapshots: unite(work.snapshots, snapshots) }),
    ...(repaired && { repaired: unite(work.repaired, repaired) }),
    ...(removed && { removed: unite(work.removed, removed) }),
    ...(emptied && { emptied: unite(work.emptied, emptied) }),
    // Of the last attempt.
    ...(left && { left }),
    ...(held && { held }),
    ...(restored && { restored: unite(work.restored, restored) }),
    // Of all attempts, as the engine has noted it.
    ...(setAside && { setAside }),
    ...(forgotten && { forgotten }),
    ...(calls && { calls: unite(work.calls, calls) }),
  };
}

/** A later attempt begins anew: what is gone already is not left again. */
function addRemoving(before: WorkList, news: WorkList): WorkList {
  const work = addWork(before, news);
  const gone = new Set([...(work.removed ?? []), ...(work.emptied ?? [])]);
  return { ...work, left: (work.left ?? []).filter((path) => !gone.has(path)) };
}

/** Both lists without repetition. */
function unite(first: readonly string[] = [], second: readonly string[] = []): readonly string[] {
  return [...new Set([...first, ...second])];
}
