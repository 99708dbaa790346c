/** What holds if a script leaves an optional field out, and fields that only describe. */
import { describe, expect, it } from "vitest";
import { buildPairingIndex, listPairings } from "../../src/core/hooks/pairings.ts";
import { parseWith } from "../support/scripts/diagnostics.ts";
import { hook5, lifecycle, question, widget } from "../support/scripts/rule-rows.ts";
import { dictionaryOf, hookOf, on, rawHook } from "../support/scripts/scripts.ts";

const hookOfScript = (changes: Record<string, unknown>) => parseWith(changes).dictionary?.hooks[0];

describe("by default", () => {
  it("a question is not required and not for the install only", () => {
    expect(parseWith(question({})).dictionary?.questions).toMatchObject([{ required: false, installonly: false }]);
  });

  it.each([
    ["version 5", hook5({})],
    ["version 6", lifecycle({})],
  ])("a hook of %s runs for 300 seconds, is not retried, and is required", (_dialect, script) => {
    expect(hookOfScript(script)).toMatchObject({ timeout: 300, retries: 0, optional: false });
  });

  it("a hook of version 6 without events is a user action", () => {
    expect(hookOf("demo", {}).triggers).toEqual([{ event: "userAction" }]);
  });

  it.each([
    ["version 5", hook5({ userOptional: { label: "Set up" } })],
    ["version 6", lifecycle({ userOptional: {} })],
  ])("a consent of %s is on", (_dialect, script) => {
    expect(hookOfScript(script)?.userOptional).toMatchObject({ default: true });
  });

  it("a target takes any number of files and requires that the app can reach them", () => {
    const { target } = hookOf("demo", { target: { type: "files", accepts: [".mkv"] } });
    expect(target).toMatchObject({ requiresTargetMount: true });
    expect(target).not.toHaveProperty("maxFiles");
  });

  it("a widget is refreshed every 300 seconds, and its query is abandoned after 10", () => {
    expect(parseWith(widget({})).dictionary?.widgets).toMatchObject([{ refresh: 300, timeout: 10, buttons: [] }]);
  });
});

describe("the words of a consent", () => {
  it("in version 5 are its own label", () => {
    expect(hookOfScript(hook5({ userOptional: { label: "Scan now" } }))?.userOptional?.label).toBe("Scan now");
  });

  it("in version 6 are the hook's title, and the hook's description unless it has its own", () => {
    const changes = { title: "Scan", description: "Looks at all files" };
    const consentOf = (userOptional: Record<string, unknown>) =>
      hookOfScript(lifecycle({ ...changes, userOptional }))?.userOptional;
    expect(consentOf({})).toMatchObject({ label: "Scan", description: "Looks at all files" });
    expect(consentOf({ description: "Takes an hour" })).toMatchObject({ description: "Takes an hour" });
  });
});

describe("fields that only describe", () => {
  it("kind changes neither when a hook fires, where it appears, nor what it links", () => {
    const derive = (kind: string) => {
      const dictionary = dictionaryOf("demo", { hooks: [rawHook({ kind, conditions: [on("plex")] })] });
      const [hook] = dictionary.hooks;
      const pairings = listPairings(buildPairingIndex([dictionary]), "demo").map(({ targets }) => targets);
      return { triggers: hook?.triggers, surfaces: hook?.surfaces, rerun: hook?.rerun, pairings };
    };
    expect(derive("maintain")).toEqual(derive("connect"));
    expect(derive("custom")).toEqual(derive("connect"));
  });
});

describe("hooks of versions", () => {
  const event5 = { id: "h", event: "onAfterInstall", scriptContent: "", entrypoint: "run" };

  it("4 are not read, 5 are read by event, 6 by events", () => {
    expect(parseWith({ version: 4, hooks: [event5] }).dictionary?.hooks).toEqual([]);
    expect(parseWith({ version: 5, hooks: [event5] }).dictionary?.hooks).toMatchObject([
      { dialect: 5, triggers: [{ event: "onAfterInstall" }] },
    ]);
    const { event, ...rest } = event5;
    expect(parseWith({ hooks: [{ ...rest, title: "H", events: [event] }] }).dictionary?.hooks).toMatchObject([
      { dialect: 6, triggers: [{ event }] },
    ]);
  });

  it("5 have neither user actions nor widgets", () => {
    const { dictionary } = parseWith({ ...widget({}), version: 5, hooks: [event5] });
    expect(dictionary?.widgets).toEqual([]);
    expect(dictionary?.hooks[0]).toMatchObject({ surfaces: [] });
  });

  it("6 keep firing at every upgrade with a leftover condition", () => {
    const { dictionary } = parseWith(
      lifecycle({ events: ["onAfterUpgrade"], condition: { fromVersionRange: "<2.0.0" } }),
    );
    expect(dictionary?.hooks[0]?.triggers).toEqual([{ event: "onAfterUpgrade" }]);
  });
});

describe("an invalid part", () => {
  it.each([
    ["both script and scriptContent", { script: "h.ts" }],
    ["no source", { scriptContent: undefined }],
    ["no rerun", { rerun: undefined }],
    ["optional without a lifecycle event", { optional: true }],
    ["a consent without an install event", { userOptional: {} }],
    [
      "a target with a lifecycle event",
      { events: ["userAction", "onAfterInstall"], target: { type: "files", accepts: [".a"] } },
    ],
    ["a range on an install event", { events: ["userAction", { event: "onAfterInstall", from: "<2" }] }],
    ["a user action beside a bound upgrade", { events: ["userAction", { event: "onAfterUpgrade", from: "<2" }] }],
    ["both install events", { events: ["userAction", "onBeforeInstall", "onAfterInstall"] }],
    ["both upgrade events", { events: ["userAction", "onBeforeUpgrade", "onAfterUpgrade"] }],
    [
      "its own version as a gate",
      { events: ["userAction", "onAfterUpgrade"], conditions: [{ ...on("example", "appVersion"), range: "*" }] },
    ],
    ["a lifecycle event and another app", { events: ["userAction", "onAfterInstall"], conditions: [on("plex")] }],
    ["no recognised event", { events: ["onMoonrise"] }],
  ])("drops a hook with %s alone", (_fault, changes) => {
    const { dictionary } = parseWith({ hooks: [rawHook({ id: "bad", ...changes }), rawHook({ id: "good" })] });
    expect(dictionary?.hooks.map(({ id }) => id)).toEqual(["good"]);
  });

  it("names the install picker as where a link belongs, if a lifecycle event has a condition on another app", () => {
    const { problems } = parseWith(lifecycle({ conditions: [on("plex")] }));
    const text = problems.map(({ message, hint }) => `${message} ${hint}`).join();
    expect(text).toContain("install picker");
    expect(text).toMatch(/remove .*(event|trigger)/i);
  });

  it.each([
    ["a button twice", { buttons: ["a", "a"] }],
    ["five buttons", { buttons: ["a", "b", "c", "d", "e"] }],
  ])("drops a widget with %s alone", (_fault, changes) => {
    const hooks = ["a", "b", "c", "d", "e"].map((id) => rawHook({ id }));
    const { dictionary } = parseWith({ hooks, ...widget(changes) });
    expect(dictionary).toMatchObject({ widgets: [], hooks: hooks.map(({ id }) => ({ id })) });
  });

  it("keeps an event it knows beside one it does not", () => {
    const { dictionary } = parseWith({ hooks: [rawHook({ events: ["userAction", "onMoonrise"] })] });
    expect(dictionary?.hooks[0]?.triggers).toEqual([{ event: "userAction" }]);
  });
});
