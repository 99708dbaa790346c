/** Whose task it is, and of what kind. */
export interface NamedTask {
  readonly kind: string;
  readonly appId: string;
  readonly hookId?: string | null | undefined;
}

/** A task in words that are the same in every run; one of another app than `ownId` is named with its app. */
export function nameTask({ kind, appId, hookId }: NamedTask, ownId: string): string {
  if (hookId != null) return nameHook(hookId);
  return appId === ownId ? `the ${kind}` : `the ${kind} of "${appId}"`;
}

/** A hook in words. */
export function nameHook(hookId: string): string {
  return `hook "${hookId}"`;
}
