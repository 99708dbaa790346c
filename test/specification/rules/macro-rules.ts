import { rulesOf } from "../fields/field-table.ts";
import { REQUIREMENT_VALUES, REQUIREMENTS } from "../fields/script-fields.ts";
import { type Section, testsOf } from "../rule.ts";

const script = testsOf("core/script/script-rules");
const macros = testsOf("core/macros/macros");
const plan = testsOf("core/plan/plan");
const requirements = testsOf("core/plan/requirements");

export const MACRO_SECTIONS: readonly Section[] = [
  {
    title: "Macros",
    rules: [
      [
        "$SERVER_LAN_IP",
        "The macro yields the server's address on the local network.",
        macros('macros of the specification > $SERVER_LAN_IP yields "192.168.1.20"'),
      ],
      [
        "$SERVER_HOST_ID",
        "The macro yields the server's id.",
        macros('macros of the specification > $SERVER_HOST_ID yields "host-7"'),
      ],
      [
        "$LOCATION",
        "The macro yields the path of a configured location.",
        macros('macros of the specification > $LOCATION(Media) yields "/mnt/tank/Media"'),
      ],
      [
        "$RANDOM_STRING",
        "The macro yields a random string of the length given.",
        macros('macros of the specification > $RANDOM_STRING(8) yields "R1xxxxxx"'),
      ],
      [
        "$RANDOM_STRING",
        "A random string has letters and digits alone.",
        testsOf("engine/runtime/randomness")(
          "random strings are of A-Z, a-z and 0-9, each of them, and differ from call to call",
        ),
      ],
      [
        "$MEMORY",
        "The macro yields the share of the memory, at least the minimum.",
        macros("macros of the specification > $MEMORY(10%, 1024) yields 1600"),
      ],
      [
        "$HOST_PATH",
        "The macro yields the configuration of a host path.",
        macros("arguments of $HOST_PATH and $MOUNTED_HOST_PATH are trimmed > in both macros"),
      ],
      [
        "$MOUNTED_HOST_PATH",
        "The macro yields the configuration of a host path with its mount point.",
        macros("arguments of $HOST_PATH and $MOUNTED_HOST_PATH are trimmed > in both macros"),
      ],
      [
        "$APP_INSTALLED",
        'The macro yields the text "true" or "false".',
        macros('macros of the specification > $APP_INSTALLED(emby) yields "false"'),
      ],
      [
        "$QUESTION",
        "The macro yields the answer to the question of that key.",
        macros('macros of the specification > $QUESTION(name) yields "Ada"'),
      ],
      [
        "$IF",
        "The macro yields the first value if its condition holds, else the second.",
        macros('macros of the specification > $IF(false, a, b) yields "b"'),
      ],
      [
        "$IF",
        "Without a second value it yields nothing.",
        macros(
          "a branch of $IF may be JSON, also with single quotes, or nested macros > an $IF without an else-branch yields an empty text",
        ),
      ],
      [
        "text",
        "A condition is true or false as it is written.",
        macros('$IF conditions of the specification > $IF(false, y, n) yields "n"'),
      ],
      [
        "text",
        "An exclamation mark turns a condition around.",
        macros('$IF conditions of the specification > $IF(!true, y, n) yields "n"'),
      ],
      [
        "text",
        "A condition may ask for an installed app.",
        macros('$IF conditions of the specification > $IF($APP_INSTALLED(plex), y, n) yields "y"'),
      ],
      [
        "text",
        "A condition may be an answer.",
        macros('$IF conditions of the specification > $IF($QUESTION(k), y, n) yields "y"'),
      ],
      [
        "text",
        "A condition may compare two values with ==.",
        macros('$IF conditions of the specification > $IF($QUESTION(k) == one, y, n) yields "y"'),
      ],
      [
        "text",
        "A condition may compare two values with !=.",
        macros('$IF conditions of the specification > $IF($QUESTION(k) != one, y, n) yields "n"'),
      ],
      [
        "text",
        "Conditions in a list with AND must all hold.",
        macros('$IF conditions of the specification > $IF([true, false], y, n, AND) yields "n"'),
      ],
      [
        "text",
        "Of conditions in a list with OR one must hold.",
        macros('$IF conditions of the specification > $IF([true, false], y, n, OR) yields "y"'),
      ],
    ],
  },
  {
    title: "Requirements object",
    rules: [
      ...rulesOf(REQUIREMENTS),
      ...rulesOf(REQUIREMENT_VALUES),
      [
        "Rules 1",
        "Each $LOCATION() of a script must be among its required locations.",
        script("a $LOCATION that is not listed is an error at each use"),
      ],
      [
        "Rules 1",
        "That holds for directories and defaults too.",
        testsOf("core/macros/macros-check")(
          "checkMacros beyond one string > checks question defaults and directories, never hooks",
        ),
      ],
      [
        "Rules 2",
        "An install is refused if a required location is not configured.",
        requirements("required locations > are required even where no macro uses them"),
      ],
      [
        "Rules 3",
        "Unmet specifications, permissions and ports refuse nothing.",
        requirements("specifications, permissions and ports > are advice: unmet ones refuse nothing"),
      ],
      [
        "Rules 4",
        "Directories are created below configured locations alone, never the locations.",
        plan(
          "a directory path stays at or below its location > a literal directory that does not lie strictly below a location is refused: /etc",
        ),
      ],
      [
        "Rules 4",
        "The root of a location is neither created nor owned.",
        testsOf("engine/lifecycle-rules")(
          "owners > of a location's root: it is shared and snapshotted where it says so, never created, owned or repaired",
        ),
      ],
    ],
  },
];
