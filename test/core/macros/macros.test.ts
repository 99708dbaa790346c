import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { HOST, planOf, rawQuestion, resolved, valuesOf } from "../../support/scripts/plans.ts";

type Row = readonly [text: string, value: Json, answers?: Readonly<Record<string, Json>>];

const hostPath = (path: string) => ({ type: "host_path", host_path_config: { acl_enable: false, path } });

describe("macros of the specification", () => {
  const rows: readonly Row[] = [
    ["$SERVER_LAN_IP", "192.168.1.20"],
    ["$SERVER_HOST_ID", "host-7"],
    ["$LOCATION(Media)", "/mnt/tank/Media"],
    ["$RANDOM_STRING(8)", "R1xxxxxx"],
    ["$MEMORY(10%, 1024)", 1600],
    ["$HOST_PATH($LOCATION(Media)/x)", hostPath("/mnt/tank/Media/x")],
    [
      "$MOUNTED_HOST_PATH($LOCATION(Media), /media)",
      {
        type: "host_path",
        read_only: false,
        mount_path: "/media",
        host_path_config: { acl_enable: false, path: "/mnt/tank/Media" },
      },
    ],
    ["$APP_INSTALLED(plex)", "true"],
    ["$APP_INSTALLED(emby)", "false"],
    ["$QUESTION(name)", "Ada", { name: "Ada" }],
    ["$IF(true, a, b)", "a"],
    ["$IF(false, a, b)", "b"],
    ["$GPU_CONFIG()", { use_all_gpus: false }],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }
});

describe("an IPv6 address", () => {
  it.each([
    ["$SERVER_LAN_IP", "fd00::20"],
    ["trusted: $SERVER_LAN_IP", "trusted: fd00::20"],
    ["http://$SERVER_LAN_IP", "http://[fd00::20]"],
    ["http://$SERVER_LAN_IP:8080/", "http://[fd00::20]:8080/"],
    ["http://me@$SERVER_LAN_IP/x", "http://me@[fd00::20]/x"],
    ["$SERVER_LAN_IP:8080", "[fd00::20]:8080"],
    ["$SERVER_LAN_IP:$QUESTION(port)", "[fd00::20]:80"],
    ["http://[$SERVER_LAN_IP]:8080", "http://[fd00::20]:8080"],
    ["$IF(true, http://$SERVER_LAN_IP:80)", "http://[fd00::20]:80"],
    ["http://$IF(true, $SERVER_LAN_IP, x)/", "http://[fd00::20]/"],
    ["$SERVER_LAN_IP and $QUESTION(port)", "fd00::20 and 80"],
    ["http://$QUESTION(host)/", "http://fd00::20/"],
  ])("in %j yields %j: brackets in a URL and before a port, an answer as it is", (text, expected) => {
    const answers = { port: "80", host: "fd00::20" };
    expect(resolved(text, answers, { ...HOST, lanIp: "fd00::20" })).toBe(expected);
  });
});

describe("a string that is one macro keeps the macro's type, longer text makes it text", () => {
  const rows: readonly Row[] = [
    ["$QUESTION(n)", 8080, { n: 8080 }],
    ["$QUESTION(b)", false, { b: false }],
    ["port $QUESTION(n)", "port 8080", { n: 8080 }],
    ["$QUESTION(b)!", "false!", { b: false }],
    ["$MEMORY(10%, 2048)M", "2048M"],
    ["$QUESTION(a)$QUESTION(b)", "12", { a: 1, b: 2 }],
    ["at $HOST_PATH(/x)", `at ${JSON.stringify(hostPath("/x"))}`],
    ["$IF(true, $QUESTION(n))", 8080, { n: 8080 }],
    ["$IF(true, 8080)", "8080"],
    ["http://$SERVER_LAN_IP:30111/", "http://192.168.1.20:30111/"],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }
});

describe("a macro name is the longest known name", () => {
  const rows: readonly Row[] = [
    ["$SERVER_LAN_IP30032", "192.168.1.2030032"],
    ["$SERVER_LAN_IP_x", "192.168.1.20_x"],
    ["$SERVER_HOST_ID_$SERVER_LAN_IP", "host-7_192.168.1.20"],
    ["$$SERVER_LAN_IP", "$192.168.1.20"],
    ["$HOST_PATH(/a)$SERVER_LAN_IP", `${JSON.stringify(hostPath("/a"))}192.168.1.20`],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }
});

describe("a dollar sign that begins no macro is text", () => {
  it.each(["$5", "\x24{x}", "$HOME/config", "a$", "$", "$$", "$lower(x)", "cost: $5, $6", "$(date)", "naïve $5 🚀"])(
    "%s",
    (text) => {
      expect(resolved(text)).toBe(text);
    },
  );
});

describe("$QUESTION", () => {
  it("a question declared but unanswered yields an empty text", () => {
    expect(resolved("$QUESTION(k)")).toBe("");
  });

  it("an answer is never scanned for macros", () => {
    for (const k of ["$RANDOM_STRING(9)", "$IF(true,a)", "$QUESTION(k)", "a, b) $5"]) {
      expect(resolved("$QUESTION(k)", { k })).toBe(k);
      expect(resolved("<$QUESTION(k)>", { k })).toBe(`<${k}>`);
      expect(resolved("$IF(true, $QUESTION(k))", { k })).toBe(k);
      expect(resolved("$HOST_PATH($QUESTION(k))", { k })).toEqual(hostPath(k));
    }
  });
});

describe("$IF conditions of the specification", () => {
  const rows: readonly Row[] = [
    ["$IF(true, y, n)", "y"],
    ["$IF(false, y, n)", "n"],
    ["$IF(!true, y, n)", "n"],
    ["$IF(!false, y, n)", "y"],
    ["$IF(!!true, y, n)", "y"],
    ["$IF($APP_INSTALLED(plex), y, n)", "y"],
    ["$IF(!$APP_INSTALLED(plex), y, n)", "n"],
    ["$IF($QUESTION(k), y, n)", "y", { k: true }],
    ["$IF($QUESTION(k) == one, y, n)", "y", { k: "one" }],
    ["$IF($QUESTION(k) == 'one', y, n)", "y", { k: "one" }],
    ['$IF("$QUESTION(k)"=="one", y, n)', "y", { k: "one" }],
    ["$IF($QUESTION(k) != one, y, n)", "n", { k: "one" }],
    ["$IF($QUESTION(k) == 8080, y, n)", "y", { k: 8080 }],
    ["$IF($QUESTION(k) == true, y, n)", "y", { k: true }],
    ["$IF($QUESTION(a) == $QUESTION(b), y, n)", "y", { a: "x", b: "x" }],
    ["$IF('a, b' == 'a, b', y, n)", "y"],
    ["$IF('$QUESTION(k) == one', y, n)", "y", { k: "one" }],
    ["$IF([true, true], y, n, AND)", "y"],
    ["$IF([true, false], y, n, AND)", "n"],
    ["$IF([true, false], y, n, OR)", "y"],
    ["$IF([false, false], y, n, OR)", "n"],
    ["$IF([$QUESTION(k) == a, !$APP_INSTALLED(emby)], y, n, AND)", "y", { k: "a" }],
    ["$IF(['a' == 'a', false], y, n, or)", "y"],
    ["$IF([false, true], y, OR)", "y"],
    ["$IF([true], y, n)", "y"],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }
});

describe("a condition is false when it is false, 0, empty, missing, or the text false in any case", () => {
  const rows: readonly (readonly [answer: Json, holds: boolean])[] = [
    [false, false],
    [true, true],
    [0, false],
    [1, true],
    ["", false],
    ["false", false],
    ["FALSE", false],
    ["False", false],
    ["0", false],
    ["no", true],
    ["null", true],
    ["x", true],
  ];
  it.each(rows)("%j", (k, holds) => {
    expect(resolved("$IF($QUESTION(k), y, n)", { k })).toBe(holds ? "y" : "n");
  });

  it("is false for a question without an answer", () => {
    expect(resolved("$IF($QUESTION(k), y, n)")).toBe("n");
  });
});

describe("== and != compare as text, operands trimmed and unquoted", () => {
  it.each<[condition: string, holds: boolean, answer: Json]>([
    ["  $QUESTION(k)  ==  'one'  ", true, "one"],
    ['$QUESTION(k) == "8080"', true, 8080],
    ["$QUESTION(k)==`true`", true, true],
    ["$QUESTION(k) == TRUE", false, true],
    ["$QUESTION(k) != '1.0'", true, 1],
    ["$QUESTION(k) == ''", true, ""],
  ])("%s", (condition, holds, k) => {
    expect(resolved(`$IF(${condition}, y, n)`, { k })).toBe(holds ? "y" : "n");
  });
});

describe("a branch of $IF may be JSON, also with single quotes, or nested macros", () => {
  const rows: readonly Row[] = [
    ["$IF(true, {'use_all_gpus': false}, x)", { use_all_gpus: false }],
    ['$IF(true, {"use_all_gpus": true, "n": [1, -2.5e3, null]}, x)', { use_all_gpus: true, n: [1, -2500, null] }],
    ["$IF(true, [1, 'two', `three`])", [1, "two", "three"]],
    ["$IF(true, '{\"a\": 1}')", { a: 1 }],
    ["$IF(true, {})", {}],
    ["$IF(true, [])", []],
    [
      "$IF(true, {'ip': '$SERVER_LAN_IP', 'mb': '$MEMORY(10%, 1)', 'bare': $MEMORY(5%, 1)})",
      { ip: "192.168.1.20", mb: 1600, bare: 800 },
    ],
    ["$IF(true, ['a', \"$IF(false, x)\", 'b'])", ["a", "b"]],
    ["$IF(true, ['', 'b'])", ["", "b"]],
    ["$IF(true, {'it\\'s': 'a\\u00e9\\n'})", { "it's": "aé\n" }],
    ["$IF(false, x, $IF(true, $IF(false, a, deep), b))", "deep"],
    ["$IF($IF(true, true, false), y, n)", "y"],
    ["$IF(true, $HOST_PATH($LOCATION(Media)/a (b)), x)", hostPath("/mnt/tank/Media/a (b)")],
    ["$IF(true, it's fine, x)", "it's fine"],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }

  it("an $IF without an else-branch yields an empty text", () => {
    expect(resolved("$IF(false, x)")).toBe("");
    expect(resolved("a$IF(false, x)b")).toBe("ab");
  });

  it("a branch of $IF that is a number or a truth value is text", () => {
    expect([resolved("$IF(true, 8080)"), resolved("$IF(true, true)"), resolved("$IF(false, x, null)")]).toEqual([
      "8080",
      "true",
      "null",
    ]);
  });

  it("a value put into a JSON branch is never read as JSON again", () => {
    const k = `x', 'admin': 'yes", $5 \\`;
    expect(resolved("$IF(true, {'name': '$QUESTION(k)'})", { k })).toEqual({ name: k });
  });

  it("only the taken branch of $IF is evaluated", () => {
    const { plan } = planOf({ app_values: { value: "$IF(true, a, $RANDOM_STRING(8))" } });
    expect(plan?.randoms).toEqual({});
  });

  it("an array item that is one $IF and yields an empty text is dropped, no other empty text is", () => {
    const app_values = {
      list: ["a", "$IF(false, x)", "", "$QUESTION(k)", "$IF(false, x)z", { k: "$IF(false, x)" }, "$IF(true, b)"],
    };
    const values = valuesOf({ app_values, installation_questions: [rawQuestion("k")] });
    expect(values).toEqual({ list: ["a", "", "", "z", { k: "" }, "b"] });
  });
});

describe("quotes around an argument only delimit it", () => {
  const rows: readonly Row[] = [
    ["$IF(true, 'a, b', c)", "a, b"],
    ['$IF(true, "a) b", c)', "a) b"],
    ["$IF(true, `a 'b' \"c\"`, d)", "a 'b' \"c\""],
    ["$IF(true, 'it's', c)", "it's"],
    ["$IF(true, ' padded ', c)", " padded "],
    ["$IF(true,   bare  , c)", "bare"],
    ["$IF(true, '$QUESTION(n)', c)", 5, { n: 5 }],
    ["$IF(true, \"$MEMORY('10%', '2048')\", c)", 2048],
    ["$IF(true, '$IF(true, 'x', 'y')', z)", "x"],
    ["$IF(true, '', c)", ""],
    ["$QUESTION('k')", "v", { k: "v" }],
    ['$LOCATION("Media")', "/mnt/tank/Media"],
    ["$HOST_PATH('/a, b')", hostPath("/a, b")],
    ["$APP_INSTALLED(`plex`)", "true"],
  ];
  for (const [text, value, answers] of rows) {
    it(`${text} yields ${JSON.stringify(value)}`, () => {
      expect(resolved(text, answers)).toEqual(value);
    });
  }
});

describe("$MEMORY is the larger of share and minimum in whole MB, with or without %", () => {
  const rows: readonly (readonly [text: string, memoryMb: number, megabytes: number])[] = [
    ["$MEMORY(10%, 2048)", 16_000, 2048],
    ["$MEMORY(50%, 2048)", 16_000, 8000],
    ["$MEMORY(50, 2048)", 16_000, 8000],
    ["$MEMORY( 50 % , 2048 )", 16_000, 8000],
    ["$MEMORY(29%, 1)", 100, 29],
    ["$MEMORY(12.5%, 1)", 1000, 125],
    ["$MEMORY(0.1%, 0)", 3000, 3],
    ["$MEMORY(100%, 0)", 15_931, 15_931],
  ];
  it.each(rows)("%s of %i MB is %i", (text, memoryMb, megabytes) => {
    expect(resolved(text, {}, { ...HOST, memoryMb })).toBe(megabytes);
  });

  it("$MEMORY rounds down", () => {
    expect(resolved("$MEMORY(10%, 1)", {}, { ...HOST, memoryMb: 15_999 })).toBe(1599);
  });
});

describe("arguments of $HOST_PATH and $MOUNTED_HOST_PATH are trimmed", () => {
  it("in both macros", () => {
    expect(resolved("$HOST_PATH(  /mnt/a  )")).toEqual(hostPath("/mnt/a"));
    expect(resolved("$MOUNTED_HOST_PATH( /mnt/a ,  /media )")).toMatchObject({ mount_path: "/media" });
  });
});

describe("$APP_INSTALLED compares app ids, ignoring case", () => {
  it.each(["plex", "Plex", "PLEX"])("%s", (app) => {
    expect(resolved(`$APP_INSTALLED(${app})`)).toBe("true");
  });
});

describe("$GPU_CONFIG() tells of the graphics cards that can be used", () => {
  const intel = { slot: "0000:00:02.0", vendor: "INTEL" };
  const nvidia = { slot: "0000:01:00.0", vendor: "NVIDIA", uuid: "GPU-1" };
  const selection = { "0000:01:00.0": { use_gpu: true, uuid: "GPU-1" } };
  it.each([
    ["none", [], { use_all_gpus: false }],
    ["an Intel card", [intel], { use_all_gpus: true }],
    ["an NVIDIA card with drivers", [nvidia], { use_all_gpus: true, nvidia_gpu_selection: selection }],
    ["both", [intel, nvidia], { use_all_gpus: true, nvidia_gpu_selection: selection }],
    ["an NVIDIA card without drivers", [{ slot: "x", vendor: "NVIDIA" }], { use_all_gpus: false }],
  ])("with %s", (_name, gpus, config) => {
    expect(resolved("$GPU_CONFIG()", {}, { ...HOST, gpus })).toEqual(config);
  });
});

describe("macros run over directories, app values, question defaults and options only", () => {
  it("leaves keys alone and resolves nested values", () => {
    expect(valuesOf({ app_values: { $SERVER_LAN_IP: [{ deep: "$SERVER_LAN_IP" }], __proto__x: 1 } })).toEqual({
      $SERVER_LAN_IP: [{ deep: "192.168.1.20" }],
      __proto__x: 1,
    });
  });

  it("keeps a key named like a prototype member", () => {
    const values = valuesOf({ app_values: JSON.parse('{"__proto__": {"a": "$SERVER_LAN_IP"}, "constructor": "x"}') });
    expect(JSON.stringify(values)).toBe('{"__proto__":{"a":"192.168.1.20"},"constructor":"x"}');
  });

  it("never touches hooks", () => {
    const scriptContent = "export async function run() { return `\x24{1} $QUESTION(none) $IF(`; }";
    const hooks = [{ id: "h", title: "H", rerun: "refuse", scriptContent, entrypoint: "run" }];
    expect(planOf({ hooks }).plan?.dictionary.hooks[0]?.source).toEqual({ kind: "inline", content: scriptContent });
  });
});
