import { hook, oauth } from "../../support/scripts/rule-rows.ts";
import type { FieldTable } from "./field-table.ts";

const FLOW = {
  type: "pin",
  pinUrl: "https://example.com/pins",
  authUrl: "https://example.com/auth?id={clientId}&code={code}",
  pollUrl: "https://example.com/pins/{pinId}",
  clientId: "slipway",
  tokenField: "token",
};

export const OAUTH: FieldTable = {
  name: "an OAuth input",
  sound: { type: "oauth", id: "login", name: "Sign in", provider: "example", flow: FLOW },
  place: (input) => hook({ inputs: [input] }),
  rows: [
    [
      "type",
      "An input of type oauth is a sign-in; an input of no known type is an error.",
      "required",
      ["oauth"],
      ["saml"],
    ],
    ["id", "An OAuth input has an id.", "required", ["other"], [1, ""]],
    ["name", "An OAuth input has a name, its title.", "required", ["Sign in there"], [1, ""]],
    ["description", "An OAuth input may have a text.", "optional", ["You need an account"], [1]],
    ["provider", "An OAuth input names its provider.", "required", ["plex"], [1, ""]],
    ["flow", "An OAuth input has a flow.", "required", [FLOW], ["pin", { ...FLOW, type: "device" }]],
  ],
};

export const FLOW_FIELDS: FieldTable = {
  name: "an OAuth flow",
  sound: FLOW,
  place: (flow) => hook({ inputs: [oauth(flow)] }),
  rows: [
    ["type", "A flow is of type pin.", "required", ["pin"], ["device"]],
    ["pinUrl", "A flow has an address that gives out the pin.", "required", [FLOW.pinUrl], [1, "example.com"]],
    [
      "authUrl",
      "The address a person opens holds {clientId} and {code}.",
      "required",
      [FLOW.authUrl],
      ["https://example.com/{code}", "https://example.com/{clientId}"],
    ],
    ["pollUrl", "The address that is polled holds {pinId}.", "required", [FLOW.pollUrl], ["https://example.com/pins"]],
    ["clientId", "A flow has a client id.", "required", ["other"], [1, ""]],
    ["tokenField", "A flow names the field of the answer that holds the token.", "required", ["authToken"], [1, ""]],
    [
      "headers",
      "A flow may have headers of its own.",
      "optional",
      [{ accept: "application/json" }],
      ["x", { accept: 1 }],
    ],
  ],
};

export const QUESTION_INPUT: FieldTable = {
  name: "a question input",
  sound: { type: "question", id: "wish", question: { question: "Wish?", type: "text", key: "wish" } },
  place: (input) => hook({ inputs: [input] }),
  rows: [
    ["type", "An input of type question asks a question.", "required", ["question"], ["form"]],
    ["id", "A question input has an id.", "required", ["other"], [1, ""]],
    [
      "question",
      "A question input holds a question with text, description, type, key and default.",
      "required",
      [{ question: "Wish?", description: "Any", type: "text", key: "wish", default: "none" }],
      ["Wish?", { type: "text", key: "wish" }, { question: "Wish?", key: "wish" }, { question: "Wish?", type: "text" }],
    ],
  ],
};

export const INPUT_TABLES: readonly FieldTable[] = [OAUTH, FLOW_FIELDS, QUESTION_INPUT];
