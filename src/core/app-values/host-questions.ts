/** Questions as a host answers them: it adds choices and members from its own state to what the catalog says. */
import type { Json } from "../json/json.ts";
import { parseQuestions, type SchemaFault } from "./parse-questions.ts";
import type { ValueQuestion } from "./question.ts";

/** Questions as the catalog has them, and what the host has said with them about itself. */
interface HostQuestions {
  readonly questions: readonly ValueQuestion[];
  readonly faults: readonly SchemaFault[];
  /** Ids of the host's certificates; absent if no question is about one. */
  readonly certificates?: readonly number[];
}

/** Choices a host fills in. It is not known whether it refuses others, and they change with the host. */
const FILLED_CHOICES: ReadonlySet<string> = new Set([
  "definitions/timezone",
  "definitions/port",
  "definitions/node_ip",
  "definitions/node_bind_ip",
]);

/** Reads the questions a host answers for one version of an app. */
export function readHostQuestions(value: Json): HostQuestions {
  const { questions, faults } = parseQuestions(value);
  const certificates = listCertificates(questions);
  return {
    questions: questions.map(dropFilled),
    faults,
    ...(certificates !== null && { certificates }),
  };
}

function dropFilled(question: ValueQuestion): ValueQuestion {
  const { refs, choices, parts } = question;
  return {
    ...question,
    choices: refs.some((ref) => FILLED_CHOICES.has(ref)) ? null : choices,
    parts: refs.includes("definitions/gpu_configuration") ? [] : parts.map(dropFilled),
  };
}

function listCertificates(questions: readonly ValueQuestion[]): readonly number[] | null {
  const found = listCertificateQuestions(questions).flatMap(({ choices }) => (choices === null ? [] : [choices]));
  if (found.length === 0) return null;
  const ids = found.flat().filter((choice) => typeof choice === "number");
  return [...new Set(ids)];
}

function listCertificateQuestions(questions: readonly ValueQuestion[]): readonly ValueQuestion[] {
  return questions.flatMap((question) =>
    question.refs.includes("definitions/certificate") ? [question] : listCertificateQuestions(question.parts),
  );
}
