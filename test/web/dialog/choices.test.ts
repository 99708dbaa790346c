import { describe, expect, it } from "vitest";
import type { Form, FormLink, FormStep } from "../../../src/web/api/types.ts";
import {
  type Choices,
  isConsented,
  listChecked,
  NO_CHOICES,
  setTarget,
  toFormRequest,
  toRequest,
} from "../../../src/web/elements/dialog/install/choices.ts";

const PORT: FormStep = {
  title: "",
  rail: false,
  sections: [
    {
      title: "",
      questions: [{ key: "port", type: "number", question: "Port", required: false, installonly: false }],
    },
  ],
};

function link(hookId: string, targets: readonly [appId: string, checked: boolean][]): FormLink {
  return {
    hookId,
    runsOnAppId: "photos",
    direction: "outgoing",
    title: hookId,
    targets: targets.map(([appId, checked]) => ({
      appId,
      name: appId,
      icon: "",
      label: appId,
      installed: checked,
      default: checked,
      checked,
      installable: !checked,
      ...(!checked && { steps: [PORT], consents: [] }),
    })),
    requiresConsents: [],
    available: true,
  };
}

const FORM: Form = {
  appId: "photos",
  mode: "install",
  steps: [PORT],
  consents: [],
  links: [
    link("albums", [
      ["media", true],
      ["notes", false],
    ]),
    link("backup", [["notes", false]]),
  ],
  collapsed: [],
  request: { links: [{ hookId: "albums", runsOnAppId: "photos", targets: ["media"] }] },
  problems: [],
};
const [ALBUMS, BACKUP] = FORM.links;
if (ALBUMS === undefined || BACKUP === undefined) throw new Error("the form has two links");

/** Notes, to be installed with both links, on another port. */
const BOTH: Choices = {
  ...setTarget(FORM, setTarget(FORM, NO_CHOICES, ALBUMS, "notes", true), BACKUP, "notes", true),
  installs: { notes: { answers: { port: "81" }, consents: { terms: true } } },
};

describe("choices of an install", () => {
  it("leave the links to the engine while nobody touched one", () => {
    expect(toFormRequest(FORM, NO_CHOICES)).toEqual({});
    expect(toFormRequest(FORM, { ...NO_CHOICES, consents: { terms: false } })).toEqual({ consents: { terms: false } });
  });

  it("name every checked target once one is touched, in the order of the rows", () => {
    const choices = setTarget(FORM, NO_CHOICES, ALBUMS, "notes", true);
    expect(listChecked(ALBUMS, choices)).toEqual(["media", "notes"]);
    expect(toFormRequest(FORM, setTarget(FORM, choices, ALBUMS, "media", false)).links).toEqual([
      {
        hookId: "albums",
        runsOnAppId: "photos",
        targets: ["notes"],
        install: { notes: { answers: {}, consents: {} } },
      },
    ]);
  });

  it("keep other links as they are checked where one is touched", () => {
    const choices = setTarget(FORM, NO_CHOICES, BACKUP, "notes", true);
    expect(listChecked(ALBUMS, choices)).toEqual(["media"]);
  });

  it("carry what a target is asked in the first link that names it", () => {
    expect(toFormRequest(FORM, BOTH).links).toEqual([
      {
        hookId: "albums",
        runsOnAppId: "photos",
        targets: ["media", "notes"],
        install: { notes: { answers: { port: 81 }, consents: { terms: true } } },
      },
      { hookId: "backup", runsOnAppId: "photos", targets: ["notes"] },
    ]);
  });

  it("say no links where every one is unchecked", () => {
    expect(toFormRequest(FORM, setTarget(FORM, NO_CHOICES, ALBUMS, "media", false)).links).toEqual([]);
  });

  it("start with the request as the engine has it, and the answers", () => {
    const choices: Choices = { ...NO_CHOICES, answers: { port: "81", gone: "x" } };
    expect(toRequest(FORM, choices)).toEqual({ ...FORM.request, answers: { port: 81 } });
    expect(toRequest(FORM, NO_CHOICES)).toEqual(FORM.request);
  });

  it("have a consent as it was touched, else as the engine has it", () => {
    const consent = {
      hookId: "constructor",
      label: "",
      default: true,
      checked: true,
      requiresConsents: [],
      available: true,
    };
    expect(isConsented(consent, {})).toBe(true);
    expect(isConsented(consent, { constructor: false })).toBe(false);
  });
});
