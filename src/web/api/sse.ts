/** Server-sent events, as they come out of a body (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

export interface ServerSentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads events from text as it arrives: `push` gives those that became whole. */
export class EventReader {
  #rest = "";
  #event = "message";
  #id: string | undefined;
  #data: string[] = [];

  push(text: string): readonly ServerSentEvent[] {
    const lines = `${this.#rest}${text}`.split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#readLine(line));
  }

  #readLine(line: string): readonly ServerSentEvent[] {
    if (line === "") return this.#end();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
    else if (field === "data") this.#data.push(value);
    return [];
  }

  #end(): readonly ServerSentEvent[] {
    const found = { event: this.#event, id: this.#id, data: this.#data.join("\n") };
    const isWhole = this.#data.length > 0;
    this.#event = "message";
    this.#id = undefined;
    this.#data = [];
    return isWhole ? [found] : [];
  }
}
