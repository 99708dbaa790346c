import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { findDeclaredDirectory, findQuestions, listValueOrigins } from "../../../src/core/plan/values/field-origin.ts";
import type { Question } from "../../../src/core/script/dictionary.ts";

const ORIGINS = listValueOrigins({
  questions: [],
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

describe("an answer that may be shown", () => {
  const question = (key: string, more: Partial<Question> = {}): Question => {
    return { key, question: "?", type: "text", required: true, installonly: false, ...more };
  };
  const questions = [
    question("team"),
    question("password", { type: "password" }),
    question("token", { default: "t-$RANDOM_STRING(20)" }),
    question("copy", { default: "$QUESTION(password)" }),
  ];

  test.each<[string, Json, boolean]>([
    ["the answer and nothing else", "$QUESTION(team)", true],
    ["an answer with a text beside it", "$QUESTION(team)!", false],
    ["an answer with a generated string", "$QUESTION(team)$RANDOM_STRING(8)", false],
    ["two answers", "$QUESTION(team)$QUESTION(team)", false],
    ["an answer inside another macro", "$HOST_PATH(/mnt/$QUESTION(team))", false],
    ["a password", "$QUESTION(password)", false],
    ["a generated default", "$QUESTION(token)", false],
    ["a default another question may make a secret", "$QUESTION(copy)", false],
    ["an item of a list", ["$QUESTION(team)"], false],
    ["a member of an item", [{ name: "$QUESTION(team)" }], false],
  ])("%s: %s", (_, value, isOpen) => {
    const [origin] = listValueOrigins({ appValues: { field: value }, questions });
    expect(origin?.open === true).toBe(isOpen);
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
