/** The attack table with its exact figures: ends, times, peaks; the parent's event-loop lag and memory meanwhile. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { ATTACKS, attack, endOf } from "../../test/sandbox/attacks/attacks.ts";
import { openTarget } from "../../test/sandbox/attacks/attacks-target.ts";

const MB = 1024 * 1024;

await benchAttacks();

async function benchAttacks(): Promise<void> {
  const target = await openTarget();
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: target.scriptIo });
  let parentMb = 0;
  const memory = setInterval(() => {
    parentMb = Math.max(parentMb, process.memoryUsage.rss() / MB);
  }, 20);
  console.log(
    "\n### Attacks\n\n| class | attack | end | took | allowed | child peak | parent lag |\n|---|---|---|---|---|---|---|",
  );
  const worst = { over: 0, unexpected: 0, peakMb: 0, lagMs: 0 };
  for (const row of ATTACKS) {
    const lag = monitorEventLoopDelay({ resolution: 1 });
    lag.enable();
    const { outcome, tookMs, allowedMs } = await attack(sandbox, row, target);
    lag.disable();
    const lagMs = lag.max / 1e6;
    const end = endOf(outcome);
    worst.over += tookMs > allowedMs ? 1 : 0;
    worst.unexpected += row.ends.includes(end) ? 0 : 1;
    worst.peakMb = Math.max(worst.peakMb, outcome.usage.peakMb);
    worst.lagMs = Math.max(worst.lagMs, lagMs);
    const cells = [
      row.class,
      row.name,
      end,
      formatMs(tookMs),
      formatMs(allowedMs),
      `${outcome.usage.peakMb} MB`,
      formatMs(lagMs),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  clearInterval(memory);
  await sandbox.close();
  await target.close();
  console.log(
    `\n${ATTACKS.length} attacks: ${worst.unexpected} with an unexpected end, ${worst.over} past their time; ` +
      `child peak ${worst.peakMb} MB (<= 300), parent lag ${formatMs(worst.lagMs)} (<= 50), parent memory ${parentMb.toFixed(0)} MB (<= 250)`,
  );
}

function formatMs(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
