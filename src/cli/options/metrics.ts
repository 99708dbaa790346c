/** `--metrics`: where an engine's metrics are scraped, while it runs. */
import type { Command } from "commander";
import { EngineError } from "../../core/codes/problems.ts";
import type { Logger } from "../../engine/ports/environment.ts";
import type { MetricsServer } from "../../http/metrics-server.ts";
import { refuseOpenAddress } from "../../http/server-address.ts";
import { readToken } from "./api-token.ts";
import { type ListenPlace, parseListen } from "./listen.ts";

/** Options of who collects metrics, as commander hands them over. */
export interface MetricsOptions {
  /** True without a value. */
  readonly metrics?: true | string;
  readonly metricsTokenFile?: string;
  readonly allowHost?: readonly string[];
}

/** What metrics were asked for: a place that may be served, and its token. */
export interface MetricsChoice extends ListenPlace {
  readonly token?: string;
  readonly allowedHosts: readonly string[];
}

/** The port OpenTelemetry's exporter is known by. */
const PLACE: ListenPlace = { address: "127.0.0.1", port: 9464 };

/** Adds them. */
export function addMetricsOptions(command: Command): Command {
  return command
    .option(
      "--metrics [addr:port]",
      `metrics for Prometheus at /metrics of a port of their own (default: ${PLACE.address}:${PLACE.port})`,
    )
    .option("--metrics-token-file <file>", "bearer token asked of who reads metrics; required beyond loopback");
}

/**
 * Null where no metrics were asked for. Throws `CLI_USAGE`, `HTTP_TOKEN_REQUIRED` for an address beyond loopback without a
 * token, and what `readToken` throws.
 */
export function readMetricsChoice({ metrics, metricsTokenFile, allowHost }: MetricsOptions): MetricsChoice | null {
  if (metrics === undefined) {
    if (metricsTokenFile === undefined) return null;
    throw new EngineError("CLI_USAGE", "--metrics-token-file is for --metrics, which is not given");
  }
  const place = metrics === true ? PLACE : readPlace(metrics);
  const token = metricsTokenFile === undefined ? undefined : readToken(metricsTokenFile);
  refuseOpenAddress(place.address, token);
  return { ...place, allowedHosts: allowHost ?? [], ...(token !== undefined && { token }) };
}

/** Loads OpenTelemetry's SDK and serves metrics from now on. Throws `HTTP_LISTEN_FAILED`. */
export async function openMetrics(choice: MetricsChoice, logger: Logger): Promise<MetricsServer> {
  const { startMetricsServer } = await import("../../http/metrics-server.ts");
  return startMetricsServer({ ...choice, logger });
}

/** A port alone is one of loopback. */
function readPlace(text: string): ListenPlace {
  return parseListen(/^\d+$/.test(text) ? `${PLACE.address}:${text}` : text);
}
