import { z } from "zod";
import type { Gpu, HostFacts } from "../../core/plan/host-facts.ts";
import { HostError } from "../../engine/host-error.ts";
import type { HostApp } from "../../engine/ports/host-records.ts";
import { createFault } from "./faults.ts";
import { chooseLanAddress } from "./lan-address.ts";
import type { OddRows } from "./odd-rows.ts";
import type { Session } from "./session.ts";

const SystemInfo = z.object({ physmem: z.number(), cores: z.number(), timezone: z.string().nullish().catch(null) });
const Address = z.object({ type: z.string(), address: z.string() });
const GpuChoice = z.object({
  vendor: z.string().nullish(),
  pci_slot: z.string().nullish(),
  vendor_specific_config: z.object({ uuid: z.string().nullish() }).nullish().catch(null),
  error: z.string().nullish(),
});

interface AddressReading {
  /** Whether the LAN address may be a loopback one: of a stand-in. */
  readonly loopback: boolean;
  readonly odd: OddRows;
}

/** Everything a plan needs to know of the host; the calls go out together (docs/host-api.md, section 1). */
export async function readFacts(
  session: Session,
  apps: () => Promise<readonly HostApp[]>,
  { locations, ...reading }: { readonly locations: Readonly<Record<string, string>> } & AddressReading,
): Promise<HostFacts> {
  const [system, lanIp, hostId, gpus, installed] = await Promise.all([
    session.call("system.info", [], SystemInfo),
    askLanAddress(session, reading),
    askHostId(session),
    session.call("app.gpu_choices", [], reading.odd.record("app.gpu_choices", GpuChoice)),
    apps(),
  ]);
  return {
    lanIp,
    hostId,
    memoryMb: Math.floor(system.physmem / 1024 / 1024),
    cores: system.cores,
    ...(typeof system.timezone === "string" && { timeZone: system.timezone }),
    locations,
    gpus: gpus.flatMap(([slot, choice]) => toUsableGpus(slot, choice)),
    apps: Object.fromEntries(
      installed.map(({ appId, state, version, train, publishedPorts }) => [
        appId,
        { state, version, ports: publishedPorts, ...(train !== undefined && { train }) },
      ]),
    ),
  };
}

/** Every address of the host's interfaces, as scripts must not reach them: a row that can't be read fails the call. */
export async function readAddresses(session: Session): Promise<readonly string[]> {
  const inUse = await session.call("interface.ip_in_use", [{ ipv4: true, ipv6: true }], z.array(Address));
  return inUse.map(({ address }) => address);
}

/** The host's LAN address (lan-address.ts). Rejects with `HOST_CALL_FAILED` where the host has none. */
export async function askLanAddress(session: Session, { loopback, odd }: AddressReading): Promise<string> {
  const [reached, rows] = await Promise.all([
    session.call("interface.websocket_local_ip", [], z.string().nullable()),
    session.call("interface.ip_in_use", [{ ipv4: true, ipv6: true }], odd.list("interface.ip_in_use", Address)),
  ]);
  const inUse = rows.map(({ address }) => address);
  const found = chooseLanAddress({ reached, inUse }, loopback);
  if (found !== null) return found;
  const listed = inUse.length === 0 ? "none" : inUse.join(", ");
  const words = `the host has no address in its LAN: this session reached ${reached ?? "an unknown one"}, its interfaces have ${listed}`;
  throw new HostError(createFault("HOST_CALL_FAILED", words, false), "yes");
}

/** Both ids are permanent; older hosts lack the first. */
async function askHostId(session: Session): Promise<string> {
  try {
    return await session.call("system.host_id", [], z.string());
  } catch (error) {
    if (!(error instanceof HostError && error.code === "HOST_METHOD_UNKNOWN")) throw error;
    return await session.call("system.global.id", [], z.string());
  }
}

function toUsableGpus(slot: string, choice: z.infer<typeof GpuChoice>): Gpu[] {
  if (choice.error != null && choice.error !== "") return [];
  const uuid = choice.vendor_specific_config?.uuid;
  return [{ slot: choice.pci_slot ?? slot, vendor: choice.vendor ?? "UNKNOWN", ...(uuid != null && { uuid }) }];
}
