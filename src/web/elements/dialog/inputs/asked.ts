/** What a hook asks a person for, taken apart: questions as a page has them, sign-ins with how far each is. */
import type { Authorization, Json, Problem, Question, Task } from "../../../api/types.ts";

type AskedInput = { readonly id: string; readonly type: string; readonly authorization?: Authorization };

/** A sign-in at a provider. */
export interface SignIn {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly description?: string;
  /** Absent until the provider gave a code. */
  readonly authorization?: Authorization;
}

/** What a task waits for a person to give. */
export interface Asked {
  /** Each with its input's id as its key. */
  readonly questions: readonly Question[];
  readonly signIns: readonly SignIn[];
  /** ISO 8601; absent where nothing ends. */
  readonly deadline?: string;
}

const TYPES = ["text", "number", "select", "boolean", "password"] as const;

/** The inputs a task waits for, or takes once more after a failure; null where there are none. */
export function readAsked(task: Pick<Task, "waitingFor"> | undefined): Asked | null {
  const waiting = task?.waitingFor;
  if (waiting?.kind !== "person" || !("inputs" in waiting.detail) || waiting.detail.inputs === undefined) return null;
  const { inputs } = waiting.detail;
  return {
    questions: inputs.flatMap((input) => readQuestion(input)),
    signIns: inputs.flatMap((input) => readSignIn(input)),
    ...(waiting.deadline !== undefined && { deadline: waiting.deadline }),
  };
}

/** The questions that were to be answered and are asked still: nothing was given where something has to be. */
export function listUnanswered(sent: readonly string[], after: Asked | null): ReadonlyMap<string, readonly Problem[]> {
  const missing = after?.questions.filter(({ key }) => sent.includes(key)) ?? [];
  return new Map(missing.map(({ key }) => [key, [createMissing(key)]]));
}

/** Problems of refused inputs at their question. */
export function placeInputProblems(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const placed = problems.flatMap((problem): readonly (readonly [string, Problem])[] => {
    const [part, id] = problem.path;
    return part === "inputs" && typeof id === "string" ? [[id, problem]] : [];
  });
  const groups = Map.groupBy(placed, ([id]) => id);
  return new Map([...groups].map(([id, members]) => [id, members.map(([, problem]) => problem)]));
}

function createMissing(id: string): Problem {
  return {
    code: "ANSWER_REQUIRED",
    message: "",
    severity: "error",
    path: ["inputs", id],
    line: 0,
    column: 0,
    length: 0,
  };
}

/** The members beside id and type are the author's, checked when the script was read; what has another shape is left out. */
function readQuestion(input: AskedInput): readonly Question[] {
  const asked = readMember(input, "question");
  const text = readText(asked, "question");
  const type = TYPES.find((one) => one === readText(asked, "type"));
  if (input.type !== "question" || text === undefined || type === undefined) return [];
  const { description, placeholder } = {
    description: readText(asked, "description"),
    placeholder: readText(asked, "placeholder"),
  };
  const offered = readMember(asked, "default");
  const options = readMember(asked, "options");
  return [
    {
      key: input.id,
      question: text,
      type,
      required: readMember(asked, "required") === true,
      installonly: false,
      ...(description !== undefined && { description }),
      ...(placeholder !== undefined && { placeholder }),
      ...(offered !== undefined && { default: offered }),
      ...(readMember(asked, "generated") === true && { generated: true }),
      ...(readMember(asked, "isSet") === true && { isSet: true }),
      ...(Array.isArray(options) && { options: options.flatMap(readOption) }),
    },
  ];
}

function readOption(option: Json): readonly { readonly text: string; readonly value: Json }[] {
  const [text, value] = [readText(option, "text"), readMember(option, "value")];
  return text === undefined || value === undefined ? [] : [{ text, value }];
}

function readSignIn(input: AskedInput): readonly SignIn[] {
  if (input.type !== "oauth") return [];
  const { id, authorization } = input;
  const [name, provider, description] = ["name", "provider", "description"].map((member) => readText(input, member));
  return [
    {
      id,
      name: name ?? id,
      provider: provider ?? name ?? id,
      ...(description !== undefined && { description }),
      ...(authorization !== undefined && { authorization }),
    },
  ];
}

function readMember(value: unknown, name: string): Json | undefined {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function readText(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  return typeof member === "string" ? member : undefined;
}
