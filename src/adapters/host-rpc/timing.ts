/** How long the client waits for what. */

/** Times in ms. */
export interface SessionTiming {
  /** Between two pings; the host's proxy cuts after 60 s of silence. */
  readonly pingMs: number;
  /** A ping not answered by then ends the socket. */
  readonly pongMs: number;
  /** Opening a socket, discovery included. */
  readonly openMs: number;
  /** A login is answered late on purpose when it fails or is rate limited. */
  readonly loginMs: number;
  readonly callMs: number;
  /** First and longest pause between attempts to connect. */
  readonly backoffMs: readonly [number, number];
  /** How long a call waits for a lost host to come back. */
  readonly reconnectWaitMs: number;
  readonly authRetryMs: number;
  /** Pause before a call the host refused as one too many. */
  readonly busyMs: number;
  /** Between two looks at a job, beside the events. */
  readonly pollMs: number;
}

/** Times that suit a host on the local network (docs/host-api.md, section 2). */
export const DEFAULT_TIMING: SessionTiming = {
  pingMs: 25_000,
  pongMs: 10_000,
  openMs: 10_000,
  loginMs: 30_000,
  callMs: 60_000,
  backoffMs: [250, 15_000],
  reconnectWaitMs: 20_000,
  authRetryMs: 10_000,
  busyMs: 500,
  pollMs: 5_000,
};
