import type { AdoptPreview, UnknownAnswer } from "../../engine/api.ts";

const REASONS: Readonly<Record<UnknownAnswer["reason"], string>> = {
  absent: "nothing of it is in the app's configuration",
  unfit: "no answer makes what is in the app's configuration",
  ambiguous: "several answers make what is in the app's configuration",
  outside: "it leads a directory out of its location",
};

/** The lines that tell a person what an adoption keeps. What stands on the host is quoted: it takes no line of its own. */
export function renderAdoption(preview: AdoptPreview): string[] {
  const { name, version, scriptVersion, answers, unknown, generated, differences, problems } = preview;
  return [
    `Adopting ${name} ${version} as it is, with script ${scriptVersion}: nothing is changed on the host`,
    ...answers.map(({ key, value, source }) => {
      const shown = value === undefined ? "(not shown)" : JSON.stringify(value);
      return `  ${source === "recovered" ? "found" : "given"}: ${key} = ${shown}`;
    }),
    ...unknown.map(
      ({ key, question, reason }) => `  unknown: ${key} (${JSON.stringify(question)}): ${REASONS[reason]}`,
    ),
    ...(generated.found > 0 ? [`  generated strings found: ${generated.found}`] : []),
    ...generated.unknown.map((path) => `  unknown: the generated string at ${path.join(".")}`),
    ...differences.map(({ path, before, after }) => {
      const from = before === undefined ? "" : `${JSON.stringify(before)} -> `;
      return `  a later update would change ${path.join(".")}: ${from}${JSON.stringify(after)}`;
    }),
    ...problems.map(({ severity, code, message }) => `  ${severity} ${code}: ${message}`),
  ];
}
