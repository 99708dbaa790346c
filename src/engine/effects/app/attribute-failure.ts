import type { Failure, FailureDetail } from "../../../core/codes/problems.ts";
import { findDeclaredDirectory, findQuestions } from "../../../core/plan/values/field-origin.ts";
import type { StoredApp } from "../../stored-plan.ts";

/** A failure of the host about an app's values, with the question or directory each of its fields came from. */
export function attributeToQuestions(app: StoredApp, failure: Failure): Failure {
  const causes = failure.context.flatMap(({ label }): FailureDetail[] => {
    const directory = findDeclaredDirectory(label, app.appValues, app.directories);
    return [
      ...findQuestions(label, app.origins ?? []).map((key) => ({ label: "question", value: key })),
      ...(directory === null ? [] : [{ label: "directory", value: directory }]),
    ];
  });
  return causes.length === 0 ? failure : { ...failure, context: [...failure.context, ...causes] };
}
