import { describe, expect, it } from "vitest";
import type { FileEntry } from "../../../src/web/api/types.ts";
import { listCrumbs } from "../../../src/web/elements/files/names.ts";
import { countSelected, select, selectAll } from "../../../src/web/elements/files/selection.ts";
import { formatSize } from "../../../src/web/ui/format/format.ts";

const entryOf = (name: string, kind: FileEntry["kind"] = "file"): FileEntry => ({
  name,
  label: name,
  path: `/m/${name}`,
  kind,
  isLink: kind === "link",
});
const entries = [
  entryOf("films", "folder"),
  ...["a", "b", "c", "d"].map((name) => entryOf(name)),
  entryOf("l", "link"),
];

describe("names of files", () => {
  it("lead from the location down, and from nowhere else", () => {
    const locations = [
      { label: "Media", path: "/mnt/tank/media" },
      { label: "Films", path: "/mnt/tank/media/films" },
    ];
    expect(listCrumbs("/mnt/tank/media/films/new", locations)).toEqual([
      { label: "Media", path: "/mnt/tank/media" },
      { label: "films", path: "/mnt/tank/media/films" },
      { label: "new", path: "/mnt/tank/media/films/new" },
    ]);
    expect(listCrumbs("/mnt/tank/mediacenter", locations)).toEqual([
      { label: "/mnt/tank/mediacenter", path: "/mnt/tank/mediacenter" },
    ]);
  });

  it("have sizes in units of a thousand", () => {
    expect([0, 999, 1_500, 250_000_000, 3e15].map((bytes) => formatSize(bytes, "en-GB"))).toEqual([
      "0 bytes",
      "999 bytes",
      "1.5 kB",
      "250 MB",
      "3,000 TB",
    ]);
  });
});

describe("a selection", () => {
  it("is one entry, a range of what is shown in either direction, or all but folders", () => {
    const one = select(new Set(), entries, { path: "/m/b", isOn: true });
    expect([...one]).toEqual(["/m/b"]);
    expect([...select(one, entries, { path: "/m/d", anchor: "/m/b", isOn: true })]).toEqual(["/m/b", "/m/c", "/m/d"]);
    expect([...select(one, entries, { path: "/m/a", anchor: "/m/b", isOn: true })].toSorted()).toEqual([
      "/m/a",
      "/m/b",
    ]);
    expect([...select(one, entries, { path: "/m/b", anchor: "/m/elsewhere", isOn: false })]).toEqual([]);
    const all = selectAll(new Set(["/n/other"]), entries, true);
    expect([all.size, all.has("/m/films"), countSelected(all, entries)]).toEqual([6, false, "all"]);
    expect([...selectAll(all, entries, false)]).toEqual(["/n/other"]);
    expect([countSelected(one, entries), countSelected(new Set(), entries)]).toEqual(["some", "none"]);
  });
});
