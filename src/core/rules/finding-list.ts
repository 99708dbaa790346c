import { MAX_PROBLEMS } from "../script/script-limits.ts";
import type { CodedFinding } from "./finding.ts";

/** The findings of one file: the first are kept, the rest only counted, so that no file makes many megabytes of them. */
export class FindingList {
  readonly kept: CodedFinding[] = [];
  /** How many were found beyond those kept. */
  rest = 0;

  /** Whether the next finding is only counted: whoever makes findings at a cost need not make them any more. */
  get full(): boolean {
    return this.kept.length >= MAX_PROBLEMS;
  }

  add(finding: CodedFinding): void {
    if (this.full) this.rest += 1;
    else this.kept.push(finding);
  }

  addList({ kept, rest }: FindingList): void {
    this.addAll(kept);
    this.rest += rest;
  }

  addAll(findings: Iterable<CodedFinding>): void {
    for (const finding of findings) this.add(finding);
  }
}
