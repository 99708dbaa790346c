import { rulesOf } from "../fields/field-table.ts";
import { FLOW_FIELDS, OAUTH, QUESTION_INPUT } from "../fields/input-fields.ts";
import { SIZES, SLOT_FIELDS, WIDGET, WIDGET_FILE } from "../fields/widget-fields.ts";
import { addRules, renameRows, type Section, testsOf } from "../rule.ts";

const runs = testsOf("specification/hook-runs");
const hooks = testsOf("engine/hooks/hooks");
const context = testsOf("engine/hooks/hook-context");
const inputs = testsOf("engine/methods/inputs");
const surface = testsOf("sandbox/surface/surface-context");
const runner = testsOf("sandbox/runner");
const upgrade = testsOf("engine/upgrade/upgrade");
const tasks = testsOf("engine/task-rules");
const widget = testsOf("core/script/widget-rules");
const dropped = testsOf("core/script/dropped-carriers");
const queries = testsOf("surfaces/widget-queries");
const surfaces = testsOf("specification/surfaces");
const defaults = testsOf("specification/defaults");
const results = testsOf("core/hooks/widget-result");
const layout = testsOf("web/widget/lay-out");

const CONTEXT =
  "the context of a hook > has the kind and id of its app, its event, its answers, and no versions at an install";
const VERSIONS = "an upgrade > chooses its hooks by both versions and never runs those with consent";
const ADDRESS = "a hook's context > has the app's own port, and its address, once the app runs";
const NO_ADDRESS =
  "a hook's context > has the host and the first required port before the app exists, and an empty address without a port";
const SIGN_IN =
  "an OAuth input > shows code and address, polls until the user has agreed, and keeps the token to itself";
const FAIL = "waits for a person when it is required, with its message and context";

const [widgetFile, widgetEither] = rulesOf(WIDGET_FILE);
if (widgetFile === undefined || widgetEither === undefined) throw new Error("the widget of a file has two rules");

export const RUN_SECTIONS: readonly Section[] = [
  {
    title: "Hook inputs",
    rules: [
      [
        "text",
        "A hook that needs values waits for them before it runs, and says what it asks.",
        hooks("a hook with inputs > asks for what is missing, with the declaration"),
      ],
      ...rulesOf(OAUTH),
      ...renameRows(rulesOf(FLOW_FIELDS), "flow"),
      ["flow", "The person sees code and address; the provider is polled until it gives the token.", inputs(SIGN_IN)],
      ...rulesOf(QUESTION_INPUT),
      [
        "text",
        "A script reads its inputs with getInput.",
        hooks("a hook with inputs > does not ask for inputs that came with the request"),
      ],
    ],
  },
  {
    title: "HookContext (passed to the entrypoint)",
    rules: [
      ["resourceType", 'It is always "app".', runs(CONTEXT)],
      ["resourceId", "It is the id of the app.", runs(CONTEXT)],
      ["event", "It is the event that fired the hook.", runs(CONTEXT)],
      ["fromVersion", "At an upgrade it is the version departed, else it is absent.", upgrade(VERSIONS)],
      ["toVersion", "At an upgrade it is the version to be installed, else it is absent.", upgrade(VERSIONS)],
      ["host", "It is the host's address on the local network.", context(ADDRESS)],
      ["port", "It is the app's first exposed port.", context(ADDRESS)],
      ["baseUrl", "It is made of host and port.", context(ADDRESS)],
      ["baseUrl", "Without a port it is empty.", context(NO_ADDRESS)],
      ["inputs", "They are the values that were collected, by id.", runs(CONTEXT)],
      [
        "registerCheckpoints",
        "All checkpoints are known at once, each with id and message.",
        runs("that are registered are all shown at once, none of them done"),
      ],
      [
        "emitCheckpoint",
        "A checkpoint is completed; message and progress may change with it.",
        runs("are completed by an emit, which may change the message and set the progress"),
      ],
      [
        "updateCheckpointMessage",
        "The message changes, the checkpoint is not completed.",
        runs("take another message without being completed, and may be skipped with one"),
      ],
      [
        "skipCheckpoint",
        "A checkpoint is skipped, with a message if there is one.",
        runs("take another message without being completed, and may be skipped with one"),
      ],
      [
        "log",
        "What is logged is for developers and in no view of the user.",
        tasks("log lines of a script > are kept for developers, and are in no task view"),
      ],
      [
        "sleep",
        "A script may wait for a number of milliseconds.",
        runs("the context of a hook > sleeps for as long as it is asked to"),
      ],
      [
        "waitForApp",
        "The app's address is polled until it answers as expected.",
        runner("waitForApp > polls until the app answers as expected"),
      ],
      [
        "waitForApp",
        "It is asked 40 times at most unless the script says otherwise, at growing pauses.",
        surface(
          "waitForApp > waitForApp asks 40 times at most, 5 s each, after pauses from 5 s on that grow by half to 15 s",
        ),
      ],
      [
        "waitForApp",
        "Timeout, retries, method and expected status can be set.",
        surface("waitForApp > waitForApp takes both spellings of its options, and by default any 2xx alone is ready"),
      ],
      [
        "fail",
        "The hook fails with the message and the list of labels and values.",
        hooks(`a hook that fails > ${FAIL}`),
      ],
      [
        "awaitCheckpointRetry",
        "The script waits at a failed checkpoint until a person decides, and learns of Retry.",
        hooks("a checkpoint that fails and waits > goes on from the checkpoint on Retry"),
      ],
      [
        "awaitCheckpointRetry",
        "The script learns of Skip.",
        hooks("a checkpoint that fails and waits > goes on without the checkpoint on Skip"),
      ],
      ["getInput", "It answers the value collected under an id.", surface("members > getInput answers falsy values")],
      ["getInput", "It throws if the input is missing.", surface("members > getInput throws for a missing input")],
      ["getInput", "A schema may check and change the value.", surface("members > a schema may change the value")],
    ],
  },
  {
    title: "Widget (version 6)",
    rules: [
      ...addRules(
        rulesOf(WIDGET).flatMap((rule) =>
          rule[0] === "scriptContent" ? renameRows([widgetFile, rule, widgetEither], "script") : [rule],
        ),
        [
          [
            "id",
            "No two widgets of a dictionary have one id.",
            widget("the second of two widgets with one id is an error"),
          ],
          [
            "refresh",
            "Without it a widget is refreshed every 300 seconds.",
            defaults("by default > a widget is refreshed every 300 seconds, and its query is abandoned after 10"),
          ],
          [
            "refresh",
            "A refresh below 10 seconds is taken as 10.",
            dropped(
              "an error drops its carrier and nothing else > clamps times, coerces the version and reads a plain owner",
            ),
          ],
          [
            "refresh",
            "A result is kept until its refresh.",
            queries("a widget's query > is cached for its refresh time, then asked again"),
          ],
          [
            "conditions",
            "Visibility hides a widget; availability gives the reason in place of data.",
            queries(
              "a widget's query > is not run while a condition fails: visibility hides, availability gives the reason instead of data",
            ),
          ],
          [
            "timeout",
            "Without it a query is abandoned after 10 seconds.",
            defaults("by default > a widget is refreshed every 300 seconds, and its query is abandoned after 10"),
          ],
          [
            "timeout",
            "A query is abandoned at its timeout.",
            queries("a widget's query > is abandoned after its timeout"),
          ],
          [
            "sizes",
            "Without sizes every field is shown.",
            layout("a tile > of no declared size shows all fields, of one alone that one"),
          ],
          ["buttons", "A widget has 4 buttons at most.", widget("more than 4 buttons")],
          ["buttons", "No button is there twice.", widget("duplicate widget button ids")],
          [
            "buttons",
            "A button is there only for a hook that a person can start.",
            widget("a button whose hook no user can start"),
          ],
          [
            "buttons",
            "A button is there only for a hook whose surfaces have widget.",
            widget("a button whose hook lacks the surface widget"),
          ],
        ],
      ),
      ...addRules(rulesOf(SIZES), [
        [
          "small",
          "Another number of slots makes the widget invalid.",
          widget("a slot count outside its limits makes the widget invalid"),
        ],
      ]),
      ...renameRows(rulesOf(SLOT_FIELDS), "text"),
      [
        "text",
        "A tile shows the slots of its size and its media.",
        layout("a tile > shows the slots of its size in their order, and its picture"),
      ],
      [
        "text",
        "One query serves all sizes: callers at one time share it.",
        queries("a widget's query > runs once for callers that come together"),
      ],
      [
        "text",
        "A field that a size names and the result lacks is a problem of the query.",
        results(
          "widget results > a field a size refers to but the result lacks is a problem of the query, the tile still renders",
        ),
      ],
      [
        "text",
        "A widget only reads.",
        queries("a widget's query > may only read, unless the embedder trusts the widget"),
      ],
      [
        "text",
        "A hidden widget is not listed.",
        surfaces("widgets > 14: hidden widgets are not listed, the others say how they stand without a query"),
      ],
    ],
  },
];
