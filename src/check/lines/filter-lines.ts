import type {
  JournalAboard,
  JournalEntry,
  JournalRide,
  RunJournal,
  RunRequest,
  ScriptHost,
} from "../../../sandbox/contract.ts";

/** Gives the log lines that others may see. */
type Filter = (lines: readonly string[]) => readonly string[];

/** A run whose log lines pass a filter, by whichever way they come: alone, or with the journal. */
export function filterLines(
  request: RunRequest,
  scriptHost: ScriptHost,
  filter: Filter,
): { readonly request: RunRequest; readonly scriptHost: ScriptHost } {
  const { journal } = request;
  return {
    request: journal === undefined ? request : { ...request, journal: filterJournal(journal, filter) },
    scriptHost: {
      call: (call, signal, ride) => scriptHost.call(call, signal, ride && filterRide(ride, filter)),
      log: (line) => {
        for (const shown of filter([line])) scriptHost.log(shown);
      },
      audit: (record) => scriptHost.audit(record),
    },
  };
}

function filterJournal(journal: RunJournal, filter: Filter): RunJournal {
  const { resends, lastAlive, keepsEnd } = journal;
  return {
    resends,
    lastAlive,
    ...(keepsEnd !== undefined && { keepsEnd }),
    read: (signal) => journal.read(signal),
    write: (entry) => journal.write(filterEntry(entry, filter)),
    giveUp: (reason) => journal.giveUp(reason),
    askAboutRequest: (request, signal) => journal.askAboutRequest(request, signal),
    decisionOf: (checkpoint, signal) => journal.decisionOf(checkpoint, signal),
    replayed: (call) => journal.replayed(call),
    wentOn: (ranMs) => journal.wentOn(ranMs),
    passed: (place) => journal.passed(place),
  };
}

function filterRide(ride: JournalRide, filter: Filter): JournalRide {
  return {
    take: async (answer) => filterAboard(await ride.take(answer), filter),
    ahead: async () => filterAboard(await ride.ahead(), filter),
  };
}

function filterAboard(aboard: JournalAboard | null, filter: Filter): JournalAboard | null {
  if (aboard === null) return null;
  return { entry: filterEntry(aboard.entry, filter), settle: (committed) => aboard.settle(committed) };
}

function filterEntry({ row, lines }: JournalEntry, filter: Filter): JournalEntry {
  return { row, lines: filter(lines) };
}
