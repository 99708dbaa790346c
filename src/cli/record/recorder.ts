/** Keeps what one app is asked and answers while a script runs against it; the script reaches nothing else. */
import type { ScriptIo, ScriptIoReply, ScriptIoRequest } from "../../../sandbox/contract.ts";
import { replaceFetch } from "../../check/world/answers-http.ts";
import type { RealApp } from "./open-app.ts";

/** A request and its answer. */
export interface Exchange {
  readonly request: ScriptIoRequest;
  readonly reply: Pick<ScriptIoReply, "head" | "body">;
}

/** Bytes of answers that are kept in memory: a fake holds far less, but the same answer may come often. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Records what comes of a script's requests, in the order of the answers. */
export class Recorder {
  readonly #exchanges: Exchange[] = [];
  #bytes = 0;

  /** Script-io that reaches one port of the app's address; a redirect elsewhere is refused as in the sandbox. */
  open(real: ScriptIo, { address, port }: RealApp): ScriptIo {
    return {
      open: (scope) => {
        const network = { ...scope.network, lanIp: address, lanPorts: async () => [port], internet: false };
        const session = real.open({ ...scope, network });
        return replaceFetch(session, async (request, signal) => {
          const answer = await session.fetch(request, signal);
          if ("ok" in answer) this.#keep({ request, reply: answer.ok });
          return answer;
        });
      },
    };
  }

  /** What was answered; null where it was more than is kept. */
  exchanges(): readonly Exchange[] | null {
    return this.#bytes > KEPT_BYTES ? null : this.#exchanges;
  }

  #keep({ request, reply: { head, body } }: Exchange): void {
    this.#bytes += body.byteLength + (request.body?.byteLength ?? 0);
    if (this.#bytes > KEPT_BYTES) this.#exchanges.length = 0;
    else this.#exchanges.push({ request, reply: { head, body } });
  }
}
