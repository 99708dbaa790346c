/** What the questions of an install and the inputs of a hook may be. */
import { describe } from "vitest";
import { hook, oauth, question, testRules } from "../../support/scripts/rule-rows.ts";

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  testRules([
    ["a question without a key", question({ key: undefined }), ["error SCRIPT_FIELD_MISSING {"]],
    [
      "two questions with one key",
      { installation_questions: [1, 2].map(() => ({ question: "?", type: "text", key: "k" })) },
      ['error QUESTION_KEY_DUPLICATE "k"'],
    ],
    ["select without options", question({ type: "select", options: [] }), ['error QUESTION_OPTIONS_MISSING "select"']],
    [
      "a select default that is none of the options is an error",
      question({ type: "select", options: [{ text: "A", value: "a" }], default: "b" }),
      ['error QUESTION_DEFAULT_NOT_OPTION "b"'],
    ],
    [
      "an OAuth address without https",
      hook({ inputs: [oauth({ pinUrl: "http://example.com" })] }),
      ['error SCRIPT_VALUE_FORM "http://example.com"'],
    ],
    ["an OAuth address on loopback", hook({ inputs: [oauth({ pinUrl: "http://127.0.0.1:8080/pins" })] }), []],
    [
      "an authUrl without its placeholders",
      hook({ inputs: [oauth({ authUrl: "https://example.com/{code}" })] }),
      ['error SCRIPT_VALUE_FORM "https://example.com/{code}"'],
    ],
    [
      "an OAuth flow other than pin makes the hook invalid",
      hook({ inputs: [oauth({ type: "device" })] }),
      ['error HOOK_FLOW_UNSUPPORTED "device"'],
    ],
    ["another kind of input", hook({ inputs: [{ type: "file", id: "f" }] }), ['error SCRIPT_VALUE_UNKNOWN "file"']],
  ]));

describe("docs/decisions.md, section 1", () =>
  testRules([
    [
      "a select default of a hook's input that is none of its options is an error of the hook",
      hook({
        inputs: [
          {
            type: "question",
            id: "i",
            question: {
              question: "?",
              type: "select",
              key: "k",
              options: [{ text: "A", value: "a" }],
              default: "b",
            },
          },
        ],
      }),
      ['error INPUT_DEFAULT_NOT_OPTION "b"'],
    ],
    [
      "a required question may have an empty default, a select none",
      {
        installation_questions: [
          { question: "?", type: "text", key: "a", required: true, default: "" },
          { question: "?", type: "select", key: "b", options: [{ text: "A", value: "a" }] },
        ],
        app_values: { both: "$QUESTION(a)$QUESTION(b)" },
      },
      [],
    ],
    [
      "an installonly question that can't be recovered",
      question({ installonly: true }),
      ['warning MACRO_INSTALLONLY_LOST "name"'],
    ],
    [
      "a hook input's question takes required, placeholder and options",
      hook({
        inputs: [
          {
            type: "question",
            id: "q",
            question: {
              question: "?",
              type: "select",
              key: "k",
              required: true,
              placeholder: "p",
              options: [{ text: "A", value: "a" }],
            },
          },
        ],
      }),
      [],
    ],
    [
      "a hook input's question takes no group",
      hook({
        inputs: [{ type: "question", id: "q", question: { question: "?", type: "text", key: "k", group: "g" } }],
      }),
      ['warning SCRIPT_KEY_UNKNOWN "group"'],
    ],
    [
      "two inputs of a hook with one id are an error",
      hook({
        inputs: ["a", "b"].map((key) => ({
          type: "question",
          id: "q",
          question: { question: "?", type: "text", key },
        })),
      }),
      ['error INPUT_ID_DUPLICATE "q"'],
    ],
  ]));
