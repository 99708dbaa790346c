/** The tasks of an interface as a page shows them: listed once, then kept right by the stream of changes. */
import { type ApiError, call, endSession, pathOf, readRefusal, tellLive } from "../api/client.ts";
import type { ConnectionState, StreamMessage } from "../api/follow-events.ts";
import { openStream } from "../api/stream.ts";
import type { Membership } from "../api/stream-hub.ts";
import type { Hint, Task, TaskEvent, Tasks } from "../api/types.ts";
import { isFinished } from "./task-summary.ts";
import { TaskTable } from "./task-table.ts";

/** Unfinished tasks read at once, and finished ones before somebody asks for more. */
const PAGE = { unfinished: 200, finished: 25 };
/** Tasks that end before the list is read anew: a page that is open for weeks would have them all. */
const ENDED_MOST = 1_000;
/** Ms between two flushes in a tab nobody looks at, where no frames are drawn. */
const HIDDEN_FLUSH_MS = 500;
/** Ms until a list that could not be read is read again. */
const AGAIN_MS = 3_000;
/** Ms between two readings of the list where nothing tells of changes, as behind a proxy that holds a stream back. */
const UNTOLD_MS = 30_000;
/** Ms for which a question is one that was just asked. */
const JUST_MS = 5_000;

export class TaskStore {
  readonly #api: string;
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: TaskEvent) => void>();
  readonly #hintListeners = new Set<(hint: Hint) => void>();
  /** Trees that are being read: whether they changed meanwhile. */
  readonly #reading = new Map<string, boolean>();
  /** Since when each task asks for inputs, and when that was heard: never, once it was taken. */
  readonly #asked = new Map<string, { readonly since: string; heardAt: number }>();
  #table = new TaskTable();
  #queue: TaskEvent[] = [];
  #membership: Membership | undefined;
  #connection: ConnectionState = "connecting";
  #opened: { readonly epoch: string; readonly seq: number } | undefined;
  #epoch: string | undefined;
  /** Number of the last change that is in the table. */
  #seq = 0;
  /** Tasks that ended since the list began. */
  #ended = 0;
  #beginnings = 0;
  #isLoading = false;
  /** The stream was opened while the list was read, which may be older. */
  #isOvertaken = false;
  #isLoaded = false;
  #isFlushing = false;
  #problem: ApiError | undefined;
  #untold: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(api: string) {
    this.#api = api;
  }

  /** How the stream stands. */
  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Whether the tasks are known; before that `tasks` is empty. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Why the list could not be read the last time; it is read again by itself. */
  get problem(): ApiError | undefined {
    return this.#problem;
  }

  /** Root tasks, newest first: all unfinished ones, and of the finished ones the newest and those that were asked for. */
  get tasks(): readonly Task[] {
    return this.#table.list();
  }

  /** How often the list began anew, with its newest tasks alone: pages of older ones are to be read again. */
  get beginnings(): number {
    return this.#beginnings;
  }

  get(id: string): Task | undefined {
    return this.#table.get(id);
  }

  /** Calls after each change, at most once a frame, until the signal aborts. */
  subscribe(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener(
      "abort",
      () => {
        this.#listeners.delete(listener);
        this.#stopUnused();
      },
      { once: true },
    );
    if (this.#membership === undefined) this.#start();
  }

  /** Calls with every change of a task as it comes, until the signal aborts. */
  onEvent(listener: (event: TaskEvent) => void, signal: AbortSignal): void {
    this.#listen(this.#eventListeners, listener, signal);
  }

  /** Calls with what is worth reading anew, until the signal aborts. */
  onHint(listener: (hint: Hint) => void, signal: AbortSignal): void {
    this.#listen(this.#hintListeners, listener, signal);
  }

  #listen<Told>(listeners: Set<(told: Told) => void>, listener: (told: Told) => void, signal: AbortSignal): void {
    listeners.add(listener);
    signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
    // Whoever listens keeps the stream open.
    this.subscribe(() => {}, signal);
  }

  /** Opens the stream anew and reads the list: somebody logged in or out. */
  reopen(): void {
    // Whoever waits to be let in is told once it is live again.
    this.#connection = "connecting";
    this.#membership?.reopen();
    this.readAgain();
  }

  /** Reads the list again. */
  readAgain(): void {
    void this.#load();
  }

  /** Takes in trees of a list that was read for other reasons, e.g. a page of finished tasks. */
  merge({ tasks, seq }: Tasks): void {
    this.#table.merge(tasks, seq);
    this.#tell();
  }

  /** Reads the tree a task belongs to; gives the id of its root. Throws `ApiError`. */
  async read(id: string): Promise<string> {
    let task = await call<Task>(this.#api, pathOf("tasks", id));
    while (task.parent !== undefined) task = await call<Task>(this.#api, pathOf("tasks", task.parent));
    this.#table.merge([task], this.#seq);
    this.#tell();
    return task.id;
  }

  /** Whether it was heard a moment ago that a task began to ask for inputs; told once each time it begins. */
  takeAsked({ id }: Task): boolean {
    const asked = this.#asked.get(id);
    if (asked === undefined || performance.now() - asked.heardAt > JUST_MS) return false;
    asked.heardAt = Number.NEGATIVE_INFINITY;
    return true;
  }

  #hear({ task }: TaskEvent): void {
    const since = task.state === "AWAITING_INPUT" ? task.waitingFor?.since : undefined;
    if (since === undefined) this.#asked.delete(task.id);
    else if (this.#asked.get(task.id)?.since !== since) this.#asked.set(task.id, { since, heardAt: performance.now() });
  }

  #start(): void {
    this.#membership = openStream(this.#api, (message) => this.#take(message));
    void this.#load();
    this.#untold = setInterval(() => this.#connection !== "live" && void this.#load(), UNTOLD_MS);
  }

  #stopUnused(): void {
    if (this.#listeners.size > 0) return;
    clearInterval(this.#untold);
    clearTimeout(this.#retry);
    this.#membership?.leave();
    this.#membership = undefined;
    this.#queue = [];
    this.#opened = undefined;
    this.#isLoaded = false;
    this.#connection = "connecting";
  }

  #take(message: StreamMessage): void {
    if (message.kind === "event") {
      this.#hear(message.event);
      for (const listener of this.#eventListeners) listener(message.event);
      this.#queue.push(message.event);
      this.#flushSoon();
    } else if (message.kind === "hint") {
      for (const listener of this.#hintListeners) listener(message.hint);
    } else if (message.kind === "state") {
      if (message.state === "live" && this.#connection !== "live") tellLive();
      this.#connection = message.state;
      if (message.state === "refused") endSession();
      this.#tell();
    } else this.#takeOpened(message);
  }

  #takeOpened(message: Extract<StreamMessage, { kind: "opened" }>): void {
    this.#flush();
    if (this.#isLoading) this.#isOvertaken = true;
    else if (message.anew || !this.#covers(message)) void this.#load();
    this.#opened = message;
  }

  /** Reads the list into a table of its own, which then takes the place of the other: what is shown stays until then. */
  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const isFull = this.#ended > ENDED_MOST;
    const table = new TaskTable();
    try {
      const finished = await this.#readPage(false, PAGE.finished);
      table.merge(finished.tasks, finished.seq);
      let page = await this.#readPage(true, PAGE.unfinished);
      // Changes after the first of the lists are in the queue, or come.
      const { seq, epoch } = finished;
      table.merge(page.tasks, page.seq);
      while (page.next !== undefined) {
        page = await this.#readPage(true, PAGE.unfinished, page.next);
        table.merge(page.tasks, page.seq);
      }
      // Those somebody asked for meanwhile, or before, are none of the newest.
      if (!isFull && (this.#epoch === undefined || this.#epoch === epoch)) table.keepFinished(this.#table);
      if (isFull) {
        this.#ended = 0;
        this.#beginnings += 1;
      }
      this.#table = table;
      this.#seq = seq;
      this.#epoch = epoch;
      this.#isLoaded = true;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = readRefusal(error);
      clearTimeout(this.#retry);
      if (this.#problem?.status !== 401) this.#retry = setTimeout(() => this.#isUnread && void this.#load(), AGAIN_MS);
    } finally {
      this.#isLoading = false;
    }
    if (this.#isOvertaken && this.#opened !== undefined && !this.#covers(this.#opened)) {
      this.#isOvertaken = false;
      return this.#load();
    }
    this.#flush();
  }

  /** Whether what is known and what the stream tells from there on have no gap between them. */
  #covers({ epoch, seq }: { readonly epoch: string; readonly seq: number }): boolean {
    return this.#isLoaded && epoch === this.#epoch && seq <= this.#seq;
  }

  get #isUnread(): boolean {
    return this.#problem !== undefined && this.#membership !== undefined;
  }

  #readPage(isUnfinished: boolean, limit: number, before?: string): Promise<Tasks> {
    return call<Tasks>(this.#api, "/tasks", { query: { unfinished: isUnfinished, limit, before } });
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // In front of a person by frames; a tab may be hidden before the next of them, which then does not come.
    if (!document.hidden) requestAnimationFrame(() => this.#flush());
    setTimeout(() => this.#isFlushing && this.#flush(), HIDDEN_FLUSH_MS);
  }

  #flush(): void {
    this.#isFlushing = false;
    if (this.#isLoaded && !this.#isLoading) this.#applyQueue();
    this.#tell();
  }

  #applyQueue(): void {
    const events = this.#queue;
    this.#queue = [];
    for (const event of events) {
      this.#seq = Math.max(this.#seq, event.seq);
      if (event.task.id === event.taskId && isFinished(event.task)) this.#ended += 1;
      if (this.#reading.has(event.taskId)) this.#reading.set(event.taskId, true);
      else if (this.#table.apply(event) === "unknown") void this.#readTree(event.taskId);
    }
    if (this.#ended > ENDED_MOST) void this.#load();
  }

  /** Reads a tree of which only a change is known, until nothing changes while it is read. */
  async #readTree(rootId: string): Promise<void> {
    try {
      do {
        this.#reading.set(rootId, false);
        const task = await call<Task>(this.#api, pathOf("tasks", rootId));
        this.#table.merge([task], this.#seq);
      } while (this.#reading.get(rootId) === true);
    } catch (error) {
      // Of other refusals the next list has the task.
      if (readRefusal(error)?.isPassing) setTimeout(() => this.#membership && void this.#readTree(rootId), AGAIN_MS);
    } finally {
      this.#reading.delete(rootId);
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const stores = new Map<string, TaskStore>();

/** The store of an interface: elements with the same address share it. */
export function tasksOf(api: string): TaskStore {
  const found = stores.get(api) ?? new TaskStore(api);
  stores.set(api, found);
  return found;
}
