/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads a body of server-sent events until it ends or the signal aborts; ids and retry times are left to the caller. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void> {
  let event = "message";
  let data: string[] = [];
  for await (const line of readLines(body, signal)) {
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) yield { event, data: data.join("\n") };
      event = "message";
      data = [];
    } else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
}

async function* readLines(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string, void> {
  let rest = "";
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${chunk}`.split(/\r?\n/);
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    // Aborting a fetch breaks its body off.
    if (!signal.aborted) throw error;
  }
}
