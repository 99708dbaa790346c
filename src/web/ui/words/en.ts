/** English. Another language is a module with the same shape: see `de.ts`. */
import { countIn } from "./word-types.ts";

const count = countIn("en");
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export const en = {
  language: "en",
  common: {
    cancel: "Cancel",
    close: "Close",
    back: "Back",
    next: "Next",
    loading: "Loading",
    tryAgain: "Try again",
    more: "Show more",
    notLoaded: "This part of the page could not be loaded.",
  },
  log: {
    copied: "Copied",
    copy: "Copy",
    download: "Download",
    lines: count({ one: "# line", other: "# lines" }),
    none: "Its script has written nothing.",
    notCopied: "The browser did not let it be copied: select the lines instead.",
    older: "Show older lines",
    title: "Lines of the script",
  },
  machine: {
    atEnd: "Nothing: this is its end.",
    backToTask: "Back to the task",
    byPerson: "A person",
    drawing: "Drawing of the machine",
    earlier: "Earlier step",
    faults: {
      empty: () => "The file is empty. Choose a recording, as npm run record writes it.",
      notAStep: (line: number) =>
        `Line ${line} is not a step of a recording: it needs an event with a type and a snapshot.`,
      notJson: (line: number) => `Line ${line} is not JSON. A recording has one JSON object a line.`,
      otherMachine: () => "The states in the file are not those of the machine its name says.",
      tooLarge: () => "The file is larger than 4 MB: too large for a recording.",
      tooLong: () => "The file has more than 5,000 steps: too many for a recording.",
      unknownStates: () => "No machine of this version has all the states in the file.",
      unreadable: () => "The file can't be read. Choose it again.",
    },
    fit: "Fit",
    larger: "Larger",
    later: "Later step",
    moment: "Step of its history",
    named: (machine: string, version: number | undefined) =>
      version === undefined ? machine : `${machine}, version ${version}`,
    newest: "Newest",
    next: "What can happen next",
    notBegun: "It has not begun.",
    notTaken: (reason: string) => `Not taken: ${reason}`,
    now: "now",
    open: "Open a recording",
    picture: (machine: string, state: string) =>
      `The machine ${machine}${state === "" ? "" : `, now in ${state}`}. The way it took is in the list below.`,
    present: "Present state",
    recorded: (name: string) => `Recording ${name}`,
    since: (at: string) => `Since ${clock.format(new Date(at))}`,
    smaller: "Smaller",
    stayed: "Stayed",
    stays: count({ one: "# event it takes without leaving", other: "# events it takes without leaving" }),
    step: (index: number, of: number) => `Step ${index} of ${of}`,
    time: (at: string) => clock.format(new Date(at)),
    unknownMachine: (machine: string) => `This page has no drawing of a machine "${machine}".`,
    unknownStates: "States unknown",
    whole: count({ one: "The whole way: # step", other: "The whole way: # steps" }),
    within: (state: string, text: string) => `In ${state}: ${text}`,
  },
  options: {
    available: count({ one: "# option available", other: "# options available" }),
  },
};
