/** What scripts of apps that are played get to talk to: the embedded host's apps, and what their fakes say. */
import type { ScriptIo } from "../../../sandbox/contract.ts";
import type { AppAnswer } from "../../standin/apps/answers.ts";
import { openTable, replaceFetch } from "./answers-http.ts";
import type { AnsweredRequest } from "./mortal-store.ts";
import { strike, type Weather } from "./weather.ts";

/** A request of a script, and the row of the fake that answered it. */
export interface AskedRequest {
  /** The app that was asked; absent outside of the host. */
  readonly appId?: string;
  readonly method: string;
  /** A path of the app, or a whole address. */
  readonly path: string;
  /** null: none did. */
  readonly row: AppAnswer | null;
}

/** What one world has for its scripts. */
export interface FakedNetwork {
  /** Rows for whole addresses, and for the app's paths. */
  readonly rows: readonly AppAnswer[];
  /** Ports the embedded host's apps listen on now; whatever else listens on this machine is not the script's. */
  ports(): readonly number[];
  asked(request: AskedRequest): void;
  readonly weather?: Weather;
  /** Told of a request whose answer has come, before the script has it. */
  readonly answered?: (request: AnsweredRequest) => void;
}

/**
 * Script-io of apps that are played: requests to a world's own address go to its apps, all others are answered from the
 * fake or refused, and any may be struck by bad weather. Nothing leaves this machine, nor reaches anything else on it.
 */
export function createFakedIo(real: ScriptIo, networkOf: (lanIp: string) => FakedNetwork | undefined): ScriptIo {
  return {
    open: (scope) => {
      const { lanIp } = scope.network;
      const { rows, ports, asked, weather, answered } = networkOf(lanIp) ?? NOTHING;
      // Redirects too: an app's fake may send a script anywhere.
      const network = { ...scope.network, internet: false, lanPorts: async () => ports() };
      const session = real.open({ ...scope, network });
      const answer = openTable(rows, "");
      return replaceFetch(session, async (request, signal) => {
        const blow = weather?.(request) ?? null;
        if (blow !== null) return strike(blow, request.url, signal);
        if (URL.parse(request.url)?.hostname === lanIp) {
          const reply = await session.fetch(request, signal);
          answered?.(request);
          return reply;
        }
        const { row, reply } = await answer(request);
        asked({ method: request.method, path: request.url, row });
        answered?.(request);
        return reply;
      });
    },
  };
}

const NOTHING: FakedNetwork = { rows: [], ports: () => [], asked: () => {} };
