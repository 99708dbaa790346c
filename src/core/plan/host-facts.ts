/** Facts of the host a plan is made with: the "host facts file" of the command line, and `Host.facts()`. */
export interface HostFacts {
  /** `$SERVER_LAN_IP`. */
  readonly lanIp: string;
  /** `$SERVER_HOST_ID`. */
  readonly hostId: string;
  readonly memoryMb: number;
  readonly cores: number;
  /** Configured locations: id to host path, e.g. `{Media: "/mnt/tank/Media"}`. */
  readonly locations: Readonly<Record<string, string>>;
  /** Installed apps by catalog id. */
  readonly apps: Readonly<Record<string, InstalledApp>>;
  readonly gpus: readonly Gpu[];
  /** IANA name of the zone its clock is in, where it tells. */
  readonly timeZone?: string;
  /** Free MB by location id, where the host tells. */
  readonly availableMb?: Readonly<Record<string, number>>;
}

export interface InstalledApp {
  readonly state: string;
  readonly version: string;
  /** Train of the host's catalog, where it tells. */
  readonly train?: string;
  /** Published ports. */
  readonly ports: readonly number[];
}

export interface Gpu {
  /** PCI slot, e.g. `0000:01:00.0`. */
  readonly slot: string;
  readonly vendor: string;
  /** NVIDIA cards with drivers only. */
  readonly uuid?: string;
}
