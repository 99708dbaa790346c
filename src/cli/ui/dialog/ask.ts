/** Asks a person at the terminal: installation questions, hook inputs, Retry or Skip. */
import { z } from "zod";
import type { Json } from "../../../core/json/json.ts";
import { showControlCharacters } from "../../../core/report/plain-text.ts";
import type { Question } from "../../../core/script/dictionary.ts";
import type { Form, FormQuestion, TaskView } from "../../../engine/api.ts";
import { renderDecision } from "../decision-text.ts";
import type { Terminal } from "../terminal.ts";

/** Loaded with the first question: most commands ask nothing. */
export const loadPrompts = () => import("@inquirer/prompts");

/** Whether there is a person to ask. */
export function canAsk(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stdout.isTTY === true;
}

/** Whether a question ended because the person pressed Ctrl-C or the command was told to end. */
export function isLeaving(error: unknown): boolean {
  return error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError");
}

/** Asks every question of a form that has no answer yet; returns the answers given, those before included. */
export async function askForm(
  form: Pick<Form, "steps">,
  given: Readonly<Record<string, Json>>,
  terminal: Terminal,
): Promise<Record<string, Json>> {
  const answers: Record<string, Json> = { ...given };
  for (const step of form.steps) {
    for (const section of step.sections) {
      for (const question of section.questions) {
        if (Object.hasOwn(answers, question.key)) continue;
        const answer = await askQuestion(question, terminal);
        if (answer !== undefined) answers[question.key] = answer;
      }
    }
  }
  return answers;
}

/** Asks for the decision about a task in AWAITING_RETRY. */
export async function askDecision(task: TaskView, terminal: Terminal): Promise<"input" | "retry" | "skip" | "cancel"> {
  const { select } = await loadPrompts();
  return select(renderDecision(task), { signal: terminal.signal });
}

/** The inputs a hook lists in `waitingFor.detail`. */
const AskedInputs = z.object({
  inputs: z.array(
    z.object({
      id: z.string(),
      question: z
        .object({
          question: z.string(),
          description: z.string().exactOptional(),
          type: z.enum(["text", "number", "select", "boolean", "password"]),
          key: z.string(),
          options: z.array(z.object({ text: z.string(), value: z.json() })).exactOptional(),
          required: z.boolean(),
          default: z.json().exactOptional(),
          generated: z.literal(true).exactOptional(),
          isSet: z.literal(true).exactOptional(),
        })
        .exactOptional(),
      authorization: z
        .discriminatedUnion("status", [
          z.object({ status: z.literal("open"), url: z.string(), code: z.string() }),
          z.object({ status: z.literal("failed"), failure: z.object({ message: z.string() }) }),
        ])
        .exactOptional(),
    }),
  ),
});

/** A person's reaction to a hook that waits for inputs; `look`: none, the authorization is another page's. */
export type InputDecision =
  | { readonly kind: "input"; readonly values: Readonly<Record<string, Json>> }
  | { readonly kind: "look" | "retry" | "skip" | "cancel" };

/** Asks the questions a hook waits for; where it waits for authorizations only, shows where they are given. */
export async function askInputs(task: TaskView, terminal: Terminal): Promise<InputDecision> {
  const { inputs } = AskedInputs.parse(task.waitingFor?.detail);
  const values: Record<string, Json> = {};
  for (const { id, question } of inputs) {
    const value = question === undefined ? undefined : await askQuestion(question, terminal);
    if (value !== undefined) values[id] = value;
  }
  if (inputs.some(({ question }) => question !== undefined)) return { kind: "input", values };
  const places = inputs.map(({ id, authorization }) => {
    if (authorization === undefined) return `${id}: a code is being fetched`;
    if (authorization.status === "failed") return `${id}: ${authorization.failure.message}`;
    return `${id}: open ${authorization.url} and enter ${authorization.code}`;
  });
  const { select } = await loadPrompts();
  const kind = await select(
    {
      message: showControlCharacters([`${task.label}: authorize`, ...places].join("\n  ")),
      choices: [
        { name: "Go on", value: "look" as const },
        { name: "Get a new code", value: "retry" as const },
        { name: "Skip", value: "skip" as const },
        { name: "Cancel", value: "cancel" as const },
      ],
    },
    { signal: terminal.signal },
  );
  return { kind };
}

/** Of an answer the form withholds. */
const KEEPS = " [empty: keep the stored answer]";

/** Of a default nobody is shown. */
const GENERATES = " [empty: take the generated one]";

/** Asks one question; undefined when it may stay unanswered and was. */
export async function askQuestion(
  question: Omit<Question, "default" | "installonly"> & Pick<FormQuestion, "default" | "generated" | "isSet">,
  terminal: Terminal,
): Promise<Json | undefined> {
  const { signal } = terminal;
  const { confirm, input, number, password, select } = await loadPrompts();
  const message = showControlCharacters(
    question.description === undefined ? question.question : `${question.question} (${question.description})`,
  );
  const offered = question.default;
  switch (question.type) {
    case "boolean":
      return confirm({ message, default: offered === true }, { signal });
    case "number":
      return number(
        { message, required: question.required, ...(typeof offered === "number" && { default: offered }) },
        { signal },
      );
    case "select": {
      const options = (question.options ?? []).map(({ text, value }) => ({ name: showControlCharacters(text), value }));
      return select<Json | undefined>(
        {
          message,
          choices: question.isSet ? [{ name: "Keep the stored answer", value: undefined }, ...options] : options,
          ...(offered !== undefined && { default: offered }),
        },
        { signal },
      );
    }
    case "password": {
      const note = question.generated ? GENERATES : question.isSet ? KEEPS : "";
      const typed = await password({ message: `${message}${note}`, mask: true }, { signal });
      return typed === "" ? undefined : typed;
    }
    case "text":
      if (question.isSet || (question.generated && offered === undefined)) {
        const typed = await input({ message: `${message}${question.isSet ? KEEPS : GENERATES}` }, { signal });
        return typed === "" ? undefined : typed;
      }
      return askText(message, question.required, typeof offered === "string" ? offered : "", signal);
  }
}

/** The default is shown plain, and taken as it is. */
async function askText(message: string, required: boolean, offered: string, signal: AbortSignal): Promise<string> {
  const { input } = await loadPrompts();
  const shown = showControlCharacters(offered);
  const typed = await input({ message, required, default: shown }, { signal });
  return typed === shown ? offered : typed;
}
