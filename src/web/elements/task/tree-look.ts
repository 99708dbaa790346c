/** How a whole task looks and is said: by what it asks a person, where it asks. Pure. */
import type { Task } from "../../api/types.ts";
import { summarize } from "../../state/task-summary.ts";
import { lookOf, type TaskLook } from "../../ui/task-look.ts";
import type { Words } from "../../ui/words.ts";

export function lookOfTree(root: Task, words: Words): TaskLook {
  const { group, asking } = summarize(root);
  const [first] = asking;
  return group === "asks" && first !== undefined ? { ...lookOf(first, words), tone: "ask" } : lookOf(root, words);
}
