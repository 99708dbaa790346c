/** Has one thing happen to an engine under chaos. */
import { faultOf, makeInstance } from "../engine/scripted-world.ts";
import type { HostScript } from "../host/scripted-host.ts";
import { EXPORT, SECRETS } from "./chaos-apps.ts";
import { passRefusal } from "./chaos-runs.ts";
import type { ChaosStep } from "./chaos-steps.ts";
import { type ChaosWorld, listTasks, release, waitTicks } from "./chaos-world.ts";

/** Resolves once it has happened, or is refused; requests are not waited for. Rejects with what is no refusal. */
export async function takeStep(chaos: ChaosWorld, step: ChaosStep): Promise<void> {
  const { engine } = chaos.world;
  const { script: host } = chaos.world.host;
  switch (step.kind) {
    case "request":
      if (step.what === "upgrade") {
        offerNext(host, step.app);
        return request(engine.upgrade(step.app));
      }
      return request(engine[step.what](step.app, { answers: { password: SECRETS.answer } }));
    case "switch":
      return request(engine[step.what](step.app));
    case "erase":
      return request(engine.uninstall(step.app, { keepData: false }));
    case "link": {
      const { instances } = host.world;
      instances.delete("demo");
      const target = instances.has("other") ? {} : { install: { other: {} } };
      const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["other"], ...target }];
      return request(engine.install("demo", { answers: { password: SECRETS.answer }, links }));
    }
    case "press":
      return request(engine.runAction("demo", "connect"));
    case "upgradeAll":
      for (const app of ["demo", "other"]) offerNext(host, app);
      return request(engine.upgradeAll());
    case "adopt":
      return request(engine.adopt(step.app));
    case "outside":
      if (!host.world.instances.has(step.app)) {
        const values = { demo: { password: SECRETS.answer, name: "Ann" } };
        host.world.instances.set(...makeInstance(step.app, values));
      }
      return;
    case "import":
      return request(engine.importApps({ file: EXPORT, answers: { demo: { password: SECRETS.answer } } }));
    case "decide":
      return engine[step.what](pickTask(chaos, step.task)).then(() => {}, passRefusal);
    case "input": {
      const values = step.sound ? { secret: SECRETS.input } : { secret: 7, nonsense: "x" };
      return engine.input(pickTask(chaos, step.task), values).then(() => {}, passRefusal);
    }
    case "script":
      return chaos.runs.say(step.run, step.says);
    case "refuse":
      return step.silent
        ? host.refuse(step.call, faultOf("HOST_UNREACHABLE", "no route", { retryable: true }), "no")
        : host.refuse(step.call, faultOf("HOST_CALL_FAILED", "[EFAULT] no"));
    case "lose":
      return host.loseAnswer(step.call, step.acted);
    case "end":
      return host.endJob(step.call, {
        state: "FAILED",
        fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no"),
        acted: step.acted,
      });
    case "hold":
      if (!chaos.held.has(step.call)) chaos.held.set(step.call, host.hold(step.call));
      return;
    case "release":
      return release(chaos);
    case "hostRestarts":
      return host.restart(step.finish);
    case "service":
      return host.setAppsService(step.up ? "RUNNING" : "INITIALIZING");
    case "appState":
      if (host.world.instances.has(step.app)) host.setAppState(step.app, step.state);
      return;
    case "provider":
      chaos.provider.agrees = step.agrees;
      return;
    case "advance":
    case "step":
      return chaos.clock[step.kind](step.ms);
    case "restart":
    case "crash":
      chaos.world = await chaos.world[step.kind]();
      return;
    case "wait":
      return waitTicks(step.ticks);
  }
}

/** A person presses the next thing while the host still thinks. */
function request(doing: Promise<unknown>): void {
  doing.catch(passRefusal);
}

/** Makes an upgrade possible. */
function offerNext({ world, setApp }: HostScript, app: string): void {
  const offered = world.catalog.get(app);
  if (offered === undefined) return;
  const versions = [...offered.versions, `${offered.versions.length}.0.0`];
  world.catalog.set(app, { ...offered, versions });
  if (world.instances.has(app)) setApp(app, { upgradeAvailable: true });
}

/** The id of one of the tasks there are. */
function pickTask(chaos: ChaosWorld, index: number): string {
  const tasks = listTasks(chaos);
  return tasks[index % Math.max(1, tasks.length)]?.id ?? "nobody";
}
