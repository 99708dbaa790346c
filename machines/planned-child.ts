import type { JsonObject } from "../src/core/json/json.ts";

/** A child task as planned by its parent; JSON, no secrets. */
export type PlannedChild = {
  /** Name under the parent. */
  readonly id: string;
  readonly phase: "before" | "after" | "link";
  readonly machine: string;
  readonly kind: "hook" | "link" | "install";
  readonly appId: string;
  readonly hookId?: string;
  readonly claim?: string;
  readonly input: JsonObject;
};

/** How a child ended, and the marks it leaves on its parent. */
export type ChildEnd = { readonly child: string; readonly state: string; readonly marks: readonly string[] };

/** The part of a parent's context that is about its children. */
export interface WithChildren {
  readonly input: { readonly children: readonly PlannedChild[] };
  /** Index of the child whose turn it is. */
  readonly turn: number;
  /** How children ended, by id. */
  readonly ended: Readonly<Record<string, string>>;
}

/** The child whose turn it is has come to its end already. */
export function turnHasEnded({ input, turn, ended }: WithChildren): boolean {
  const child = input.children[turn];
  return child !== undefined && child.id in ended;
}

/** Every child has come to its end. */
export function allEnded({ input, ended }: WithChildren): boolean {
  return input.children.every((child) => child.id in ended);
}

/** Id of the child whose turn it is; empty past the last. */
export function childOfTurn({ input, turn }: WithChildren): string {
  return input.children[turn]?.id ?? "";
}

/** Both lists without repetition. */
export function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second])];
}
