import { describe, expect, it } from "vitest";
import { HOST, planOf } from "../../support/scripts/plans.ts";

const requirements = (changes: Record<string, unknown>) => ({
  requirements: { locations: [], specifications: [], permissions: [], ports: [], ...changes },
});

describe("required locations", () => {
  const script = {
    ...requirements({ locations: ["Media", "Music"] }),
    ensure_directories_exists: [{ path: "$LOCATION(Media)/a" }, { path: "$LOCATION(Music)/b" }],
    app_values: { media: "$LOCATION(Media)", music: "at $LOCATION(Music)" },
  };
  const facts = { ...HOST, locations: { Media: "/mnt/tank/Media" } };

  it("that are not configured are errors, with what they spoil as null", () => {
    const { plan, problems, requirements: report, draft } = planOf(script, { facts });
    expect(plan).toBeNull();
    expect(problems).toMatchObject([
      { code: "REQUIREMENT_LOCATION_MISSING", severity: "error", path: ["requirements", "locations", 1] },
    ]);
    expect(report.locations).toEqual({ met: ["Media"], unmet: ["Music"] });
    expect(draft.appValues).toEqual({ media: "/mnt/tank/Media", music: null });
    expect(draft.directories).toMatchObject([
      { path: "/mnt/tank/Media/a", location: "Media" },
      { path: null, location: "Music" },
    ]);
  });

  it("are required even where no macro uses them", () => {
    expect(planOf(requirements({ locations: ["Photos"] }), { facts }).plan).toBeNull();
  });

  it("are not met by the members every object has", () => {
    const { dictionary } = planOf({}).plan ?? {};
    if (dictionary === undefined) throw new Error("the empty script has a plan");
    const asked = { ...dictionary, requirements: { ...dictionary.requirements, locations: ["constructor"] } };
    expect(planOf({}, { dictionary: asked }).requirements.locations.unmet).toEqual(["constructor"]);
  });

  it("a location only some hosts have is resolved where it is configured", () => {
    const unlisted = { ...requirements({ locations: ["VirtualDisks"] }), app_values: { v: "$LOCATION(VirtualDisks)" } };
    expect(planOf(unlisted).plan).toBeNull();
    const configured = { ...HOST, locations: { VirtualDisks: "/mnt/vm" } };
    expect(planOf(unlisted, { facts: configured }).plan?.appValues).toEqual({ v: "/mnt/vm" });
  });
});

const SPACE = "delete what is not needed there, snapshots too, or give a location another folder";

describe("specifications", () => {
  const rows: readonly (readonly [required: string, met: boolean | null, found: string, hint?: string])[] = [
    ["4CORE", true, "4 cores"],
    ["8CORE", false, "4 cores", "give the host more cores"],
    ["GPU", false, "no usable GPU", "put a card into the host that it has a driver for, and let apps use it"],
    ["1GBRAM", true, "16000 MB of memory"],
    ["16GBRAM", false, "16000 MB of memory", "give the host more memory"],
    ["512mb", true, "1000 MB free in Media"],
    ["1GB", false, "1000 MB free in Media", SPACE],
  ];
  it.each(rows)("%s: %s, found %s", (required, met, found, hint) => {
    const facts = { ...HOST, availableMb: { Media: 1000 } };
    const script = requirements({ locations: ["Media"], specifications: [required] });
    const said = { kind: "specification", required, met, found, ...(hint !== undefined && { hint }) };
    expect(planOf(script, { facts }).requirements.advisory).toEqual([said]);
  });

  it("say that free space is not known where the host does not tell", () => {
    const { advisory } = planOf(requirements({ specifications: ["1GB"] })).requirements;
    expect(advisory).toEqual([{ kind: "specification", required: "1GB", met: null, found: "free space not known" }]);
  });

  it("find a graphics card", () => {
    const facts = { ...HOST, gpus: [{ slot: "0000:00:02.0", vendor: "INTEL" }] };
    const { advisory } = planOf(requirements({ specifications: ["GPU"] }), { facts }).requirements;
    expect(advisory).toMatchObject([{ met: true, found: "INTEL 0000:00:02.0" }]);
  });
});

describe("ports", () => {
  it("in use by another app come with a proposal that is free and not required by the script", () => {
    const apps = {
      plex: { state: "RUNNING", version: "1", ports: [32_400, 32_402] },
      app: { state: "RUNNING", version: "1", ports: [9000] },
    };
    const { advisory } = planOf(requirements({ ports: [32_400, 32_401, 9000] }), {
      facts: { ...HOST, apps },
    }).requirements;
    expect(advisory).toEqual([
      {
        kind: "port",
        required: 32_400,
        met: false,
        found: 'used by "plex"',
        hint: 'choose another port, e.g. 32403, or stop "plex"',
        proposal: 32_403,
      },
      { kind: "port", required: 32_401, met: true, found: "free" },
      { kind: "port", required: 9000, met: true, found: "free" },
    ]);
  });

  it("at the upper end get a proposal from below, and two conflicts get two", () => {
    const apps = { other: { state: "RUNNING", version: "1", ports: [65_535, 65_534] } };
    const { advisory } = planOf(requirements({ ports: [65_535, 65_534] }), { facts: { ...HOST, apps } }).requirements;
    expect(advisory.map(({ proposal }) => proposal)).toEqual([65_533, 65_532]);
  });
});

describe("specifications, permissions and ports", () => {
  const script = requirements({
    specifications: ["8CORE", "1GB"],
    permissions: ["READ_WRITE_LOCATIONS"],
    ports: [32_400],
  });

  it("are advice: unmet ones refuse nothing", () => {
    const { plan, problems } = planOf(script);
    expect(problems).toEqual([]);
    expect(plan).not.toBeNull();
  });

  it("are errors where the embedder enforces them; what is not known is not", () => {
    const { plan, problems } = planOf(script, { enforceRequirements: true });
    expect(plan).toBeNull();
    expect(problems.map(({ code, path }) => [code, path.join(".")])).toEqual(
      [
        ["REQUIREMENT_UNMET", "requirements.ports.0"],
        ["REQUIREMENT_UNMET", "requirements.specifications.0"],
      ].toSorted(),
    );
  });
});
