import type { CodeText } from "./row.ts";

/** Codes of a user's answers, hook inputs and consents. */
export const ANSWER_CODES = {
  ANSWER_REQUIRED: {
    title: "A required question has no answer",
    hint: "give an answer for the key shown",
    see: 'docs/install-scripts.md, "Questions"',
  },
  ANSWER_TYPE: {
    title: "An answer is not of its question's type",
    hint: "give a value of the type shown",
    see: 'docs/install-scripts.md, "Questions"',
  },
  ANSWER_TOO_LONG: {
    title: "An answer has more than 64 KB",
    hint: "give a shorter text",
    see: "docs/choices.md",
  },
  ANSWER_TOO_MANY: {
    title: "A request has more answers than a person can have given",
    hint: "send the answers of the script's own questions only",
    see: "docs/choices.md",
  },
  ANSWER_OPTION: {
    title: "An answer is not one of the options of its question",
    hint: "choose one of the values shown",
    see: 'docs/install-scripts.md, "Questions"',
  },
  ANSWER_UNKNOWN: {
    title: "An answer names no question of the script",
    hint: "correct the key or leave the answer out",
    see: 'docs/install-scripts.md, "Questions"',
  },
  ANSWER_INSTALLONLY: {
    title: "An answer to a question that is asked at the install only is given with an update",
    hint: "leave the answer out; to change it, reinstall the app",
    see: 'docs/install-scripts.md, "Questions"',
  },
  ANSWER_CONSENT: {
    title: "A consent does not fit the hooks of the script",
    hint: 'name a hook that has "userOptional", with true or false',
    see: 'docs/install-scripts.md, "Consents"',
  },
  ANSWER_NOT_TAKEN: {
    title: "A request gives something its method has no use for",
    hint: "leave out what is named: nothing of it would have an effect",
    see: 'docs/choices.md, "Lifecycles in order"',
  },
  ANSWER_LOST: {
    title: "The answer to a question that is asked once can't be recovered from the installed app",
    hint: "where the app lost it too, reinstall the app with the answer",
    see: 'docs/install-scripts.md, "Questions"',
  },
} as const satisfies Record<string, CodeText>;
