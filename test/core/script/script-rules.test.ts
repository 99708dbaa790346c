/** What a script says of itself: its version, requirements, directories, metadata and unknown keys. */
import { describe } from "vitest";
import { hook, testRules } from "../../support/scripts/rule-rows.ts";
import { on } from "../../support/scripts/scripts.ts";

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  testRules([
    ["a sound script", {}, []],
    ["version 3", { version: 3 }, ["error SCRIPT_VERSION_DEPRECATED 3"]],
    ["version 7", { version: 7 }, ["error SCRIPT_VERSION_UNSUPPORTED 7"]],
    ["no version", { version: undefined }, ["error SCRIPT_VERSION_UNSUPPORTED {"]],
    ["a version as text", { version: "6" }, ['error SCRIPT_VERSION_UNSUPPORTED "6"']],
    ["missing requirements are an error", { requirements: undefined }, ["error SCRIPT_FIELD_MISSING {"]],
    ["missing app_values", { app_values: undefined }, ["error SCRIPT_FIELD_MISSING {"]],
    ["custom without metadata", { custom: true }, ['error SCRIPT_METADATA_MISSING "custom"']],
    [
      "an unknown location, or one in another case, is an error",
      { requirements: { locations: ["media"] } },
      ['error SCRIPT_LOCATION_UNKNOWN "media"'],
    ],
    ["an unknown permission", { requirements: { permissions: ["ROOT"] } }, ['error SCRIPT_VALUE_UNKNOWN "ROOT"']],
    [
      "ports beyond the numbers there are",
      { requirements: { ports: [0, 8080, 65536, 80.5] } },
      [0, 65536, 80.5].map((port) => `error SCRIPT_PORT_INVALID ${port}`),
    ],
    [
      "updateCompatibility that is no range",
      { script: { version: "1.0.0", updateCompatibility: "new" } },
      ['error SCRIPT_VALUE_FORM "new"'],
    ],
    ["a directory without a path", { ensure_directories_exists: [{}] }, ["error SCRIPT_FIELD_MISSING {"]],
    [
      "owner without user",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: {} }],
      },
      ["error SCRIPT_FIELD_MISSING {"],
    ],
  ]));

describe("docs/decisions.md, section 1", () =>
  testRules([
    [
      "an unlisted specification of a known form is a warning, in any case",
      { requirements: { specifications: ["256MB", "4GB", "2GBRAM", "1gbram", "16CORE", "gpu"] } },
      ["256MB", "4GB", "2GBRAM", "1gbram", "16CORE", "gpu"].map(
        (value) => `warning SCRIPT_SPECIFICATION_UNLISTED "${value}"`,
      ),
    ],
    [
      "any other specification is an error",
      { requirements: { specifications: ["FAST", "1TB", "1.5GB"] } },
      ["FAST", "1TB", "1.5GB"].map((value) => `error SCRIPT_VALUE_UNKNOWN "${value}"`),
    ],
    [
      "a location only some hosts have is a warning",
      {
        requirements: {
          locations: ["VirtualizationPerformance", "VirtualizationCapacity", "InstallMedia", "VirtualDisks"],
        },
      },
      ["VirtualizationPerformance", "VirtualizationCapacity", "InstallMedia", "VirtualDisks"].map(
        (value) => `warning SCRIPT_LOCATION_UNLISTED "${value}"`,
      ),
    ],
    [
      "a bare location root is accepted for its share",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)", network_share: true }],
      },
      [],
    ],
    [
      "a $LOCATION that is not listed is an error at each use",
      { app_values: { a: "$LOCATION(Media)/a", b: ["$LOCATION(Media)/b"] } },
      ["error MACRO_LOCATION_UNDECLARED $LOCATION(Media)", "error MACRO_LOCATION_UNDECLARED $LOCATION(Media)"],
    ],
    [
      "an unknown key is a warning",
      { hoks: [], ...hook({ optionl: 1, conditions: [{ ...on("example"), aps: 1 }] }) },
      ['warning SCRIPT_KEY_UNKNOWN "hoks"', 'warning SCRIPT_KEY_UNKNOWN "optionl"', 'warning SCRIPT_KEY_UNKNOWN "aps"'],
    ],
    ["$schema at top level is a known key", { $schema: "./script.schema.json" }, []],
    [
      "top-level network and resources are ignored with a warning",
      { network: {}, resources: {} },
      ['warning SCRIPT_KEY_MISPLACED "network"', 'warning SCRIPT_KEY_MISPLACED "resources"'],
    ],
    [
      "an owner that is plain text is a warning",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: "apps" }],
        app_values: { media: "$HOST_PATH($LOCATION(Media)/x)" },
      },
      ['warning DIRECTORY_OWNER_TEXT "apps"'],
    ],
    ["requirements without its lists are empty", { requirements: {} }, []],
    [
      "a script.version that is no semver is coerced with a warning",
      { script: { version: "1.1" } },
      ['warning SCRIPT_VERSION_COERCED "1.1"'],
    ],
    ["script.version latest", { script: { version: "latest" } }, ['error SCRIPT_VALUE_FORM "latest"']],
    [
      "hooks and widgets of a version that has none are not read",
      { version: 4, hooks: [1], widgetsSchema: 2, widgets: [1] },
      [
        'warning SCRIPT_SECTION_UNREAD "hooks"',
        'warning SCRIPT_SECTION_UNREAD "widgetsSchema"',
        'warning SCRIPT_SECTION_UNREAD "widgets"',
      ],
    ],
    ["a version 5 script without hooks is normal", { version: 5 }, []],
    [
      "metadata may have categories, keywords, screenshots and a relative icon",
      {
        custom: true,
        metadata: {
          name: "n",
          description: "d",
          icon: "a/icon.svg",
          version: "1.0.0",
          categories: ["a"],
          keywords: [],
          screenshots: ["s.png"],
        },
      },
      [],
    ],
    [
      "an icon outside the catalog",
      { metadata: { name: "n", description: "d", icon: "/etc/icon.svg", version: "1.0.0" } },
      ['error SCRIPT_ICON_INVALID "/etc/icon.svg"'],
    ],
  ]));
