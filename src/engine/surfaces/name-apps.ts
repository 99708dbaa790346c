/** The names of apps beside their ids, as far as they are known without asking anybody. */

/** The display name of an app; undefined where it is not known. */
export type NameOf = (appId: string) => string | undefined;

/** What is said of an app, with its display name where that is known. */
export type Named<Told> = Told & {
  /** Display name of the app; absent where it is not known. */
  readonly appName?: string;
};

/** Adds the name of the app a thing is about, where it is known. */
export function nameApp<Told extends { readonly appId?: string }>(told: Told, nameOf?: NameOf): Named<Told> {
  const appName = told.appId === undefined ? undefined : nameOf?.(told.appId);
  return appName === undefined ? told : { ...told, appName };
}
