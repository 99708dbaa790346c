import { describe, expect, test } from "vitest";
import { findDeclaredDirectory, findQuestions, listValueOrigins } from "../../../src/core/plan/values/field-origin.ts";

const ORIGINS = listValueOrigins({
  appValues: {
    TZ: "$TZ()",
    network: { web_port: { bind_mode: "published", port_number: "$QUESTION(port)" } },
    storage: {
      config: "$HOST_PATH($LOCATION(ApplicationsPerformance)/$QUESTION(folder)/config)",
      additional_storage: [
        "$MOUNTED_HOST_PATH($LOCATION(Media)/$QUESTION(media), /media)",
        { mount_path: "$QUESTION(at)" },
      ],
      optional: ["$IF($QUESTION(more), $HOST_PATH($QUESTION(extra)))", "$HOST_PATH($QUESTION(last))"],
    },
  },
});

describe("the questions behind a field the host refuses", () => {
  test.each<[string, string, readonly string[]]>([
    ["the value itself", "network.web_port.port_number", ["port"]],
    ["a part of an object a macro made", "storage.config.host_path_config.path", ["folder"]],
    ["an item of a list", "storage.additional_storage.0.host_path_config.path", ["media"]],
    ["a member of an item", "storage.additional_storage.1.mount_path", ["at"]],
    ["an object with an answer inside", "network.web_port", ["port"]],
    [
      "a list whose items may be dropped: any of it",
      "storage.optional.0.host_path_config.path",
      ["more", "extra", "last"],
    ],
    ["a value no question decides", "TZ", []],
    ["a key that only begins alike", "network.web_port2", []],
  ])("%s", (_, field, questions) => {
    expect(findQuestions(field, ORIGINS)).toEqual(questions);
  });
});

describe("the directory behind a field", () => {
  const values = {
    storage: { config: { host_path_config: { path: "/mnt/tank/a/b/c" } }, list: [{ path: "/mnt/tank/ab" }] },
  };
  const directories = [{ path: "/mnt/tank/a" }, { path: "/mnt/tank/a/b" }];

  test.each<[string, string, string | null]>([
    ["the deepest that holds the value", "storage.config.host_path_config.path", "/mnt/tank/a/b"],
    ["none for a path beside it", "storage.list.0.path", null],
    ["none for a value that is no path", "storage.config", null],
    ["none for a field that is not there", "storage.list.7.path.more", null],
  ])("%s", (_, field, path) => {
    expect(findDeclaredDirectory(field, values, directories)).toBe(path);
  });
});
