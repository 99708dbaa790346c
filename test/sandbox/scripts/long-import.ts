import type { HookContext } from "slipway/hook-api";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
let lastShown = -1;

export async function importPhotos(ctx: HookContext) {
  const started = await fetch(`${ctx.baseUrl}/jobs`, { method: "POST", body: "import" });
  const { id } = await started.json<{ id: number }>();
  for (;;) {
    let job: { done: number; of: number; state: string; error?: string };
    try {
      const response = await fetch(`${ctx.baseUrl}/jobs/${id}`, { signal: AbortSignal.timeout(100) });
      job = await response.json();
    } catch (error) {
      // A poll that hangs is given up and made again.
      if (error instanceof DOMException && error.name === "TimeoutError") {
        ctx.log("poll timed out");
        continue;
      }
      throw error;
    }
    if (job.state === "failed") ctx.fail("The import failed", [{ label: "reason", value: job.error }]);
    if (job.state === "done") return job.done;
    const percent = Math.floor((100 * job.done) / job.of);
    if (percent !== lastShown) ctx.setProgress((lastShown = percent));
    await sleep(5);
  }
}
