import { z } from "zod";
import { askControl } from "../../standin/control/ask-control.ts";
import type { StandinAddress } from "../../standin/ready.ts";

const Installed = z.object({
  apps: z.record(
    z.string(),
    z.object({ containers: z.array(z.object({ ports: z.array(z.object({ host_port: z.number() })) })) }),
  ),
});

/** The ports at which apps answer on the embedded host, whatever their scripts say of themselves. */
export async function readAppPorts(control: StandinAddress): Promise<ReadonlySet<number>> {
  const { apps } = Installed.parse(await askControl(control, "state", []));
  const containers = Object.values(apps).flatMap((app) => app.containers);
  return new Set(containers.flatMap(({ ports }) => ports.map((port) => port.host_port)));
}
