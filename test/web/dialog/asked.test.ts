import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/web/api/types.ts";
import { listUnanswered, readAsked } from "../../../src/web/elements/dialog/inputs/asked.ts";
import { tellDeadline } from "../../../src/web/elements/dialog/inputs/deadline.ts";
import { en } from "../../../src/web/ui/words/en.ts";

function wait(
  inputs: readonly { id: string; type: "oauth" | "question"; [member: string]: unknown }[],
): Pick<Task, "waitingFor"> {
  return {
    waitingFor: { kind: "person", since: "", detail: { choices: ["input", "skip", "cancel"], inputs } },
  };
}

describe("what a hook asks", () => {
  it("is questions under their input's id, and sign-ins", () => {
    const asked = readAsked(
      wait([
        { id: "whom", type: "question", question: { question: "Whom?", type: "text", key: "other", required: true } },
        { id: "account", type: "oauth", name: "Cloud", provider: "cloud" },
      ]),
    );
    expect(asked?.questions).toMatchObject([{ key: "whom", question: "Whom?", required: true }]);
    expect(asked?.signIns).toEqual([{ id: "account", name: "Cloud", provider: "cloud" }]);
  });

  it("leaves out what its author wrote in another shape", () => {
    const asked = readAsked(
      wait([
        { id: "a", type: "question", question: "Whom?" },
        { id: "b", type: "question" },
      ]),
    );
    expect(asked).toEqual({ questions: [], signIns: [] });
  });

  it("is nothing while a task asks for no input", () => {
    expect(readAsked({})).toBeNull();
    expect(readAsked(undefined)).toBeNull();
    expect(readAsked({ waitingFor: { kind: "person", since: "", detail: { child: "x" } } })).toBeNull();
  });

  it("is still to be answered where it is asked again", () => {
    const after = readAsked(wait([{ id: "whom", type: "question", question: { question: "Whom?", type: "text" } }]));
    expect([...listUnanswered(["whom", "size"], after).keys()]).toEqual(["whom"]);
    expect(listUnanswered(["whom"], null).size).toBe(0);
  });
});

describe("a deadline", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  it.each([
    ["2026-11-22T12:14:59Z", /\(in 14 minutes\)$/],
    ["2026-11-24T12:00:00Z", /2026.*\(in 2 days\)$/],
    ["2026-11-22T11:59:00Z", /\(1 minute ago\)$/],
    ["2026-11-22T12:00:00Z", /\(in 0 seconds\)$/],
  ])("%s is told as %s", (at, told) => {
    expect(tellDeadline(en, at, now)).toMatch(told);
  });
});
