/** Where somebody is in the catalog: what they look for, and the page of it. Pure. */

/** Apps of a page: no more are ever in the document. */
export const PAGE_SIZE = 48;

export const FILTERS = ["all", "installed", "upgrades"] as const;
export type Filter = (typeof FILTERS)[number];

export interface Place {
  readonly search: string;
  readonly filter: Filter;
  /** `after` of this page and of all before it; the first page has none. */
  readonly turned: readonly string[];
}

export const START: Place = { search: "", filter: "all", turned: [] };

/** Looks for something else, from its first page on. */
export function lookFor(place: Place, change: Partial<Pick<Place, "search" | "filter">>): Place {
  return { ...place, ...change, turned: [] };
}

/** The page that begins after an app. */
export function turnOn(place: Place, next: string): Place {
  return { ...place, turned: [...place.turned, next] };
}

/** The page before. */
export function turnBack(place: Place): Place {
  return { ...place, turned: place.turned.slice(0, -1) };
}

/** What the interface is asked for. */
export function toQuery({ search, filter, turned }: Place): Record<string, string | number | boolean | undefined> {
  const words = search.trim();
  return {
    limit: PAGE_SIZE,
    ...(words !== "" && { search: words }),
    ...(filter === "installed" && { installed: true }),
    ...(filter === "upgrades" && { upgradable: true }),
    ...(turned.length > 0 && { after: turned.at(-1) }),
  };
}
