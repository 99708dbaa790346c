import { type Section, testsOf } from "../rule.ts";

const pairings = testsOf("core/hooks/pairings");
const links = testsOf("core/hooks/install-links");
const routes = testsOf("http/routes");
const rules = testsOf("engine/links/pairing-rules");
const catalog = testsOf("specification/catalog");
const dialog = testsOf("engine/install/install-dialog");
const toggles = testsOf("engine/methods/form-toggles");
const names = testsOf("engine/methods/names");
const asking = testsOf("engine/links/asking-links");
const card = testsOf("surfaces/app-card");
const linking = testsOf("engine/links/links");
const page = testsOf("web/apps/app-page");
const browser = testsOf("web/dialog/install");

const RECORD = "GET /api/apps/{appId}/pairings > answers with the pairings and an ETag that answers 304 when sent back";
const INCOMING = "directions > shows in an incoming pairing the declaring app alone";
const BY_DIALOG =
  "the install dialog in a browser > installs by the dialog alone: steps, a refused answer, a closed gate, a missing target";

export const PAIRING_SECTIONS: readonly Section[] = [
  {
    title: "Pairing record",
    rules: [
      ["targets", "Each target has app id, name and icon.", routes(RECORD)],
      ["runsOnAppId", "The record names the app whose hook runs.", routes(RECORD)],
      ["hookId", "The record names the hook.", routes(RECORD)],
      ["title", "The record has the title of the hook.", routes(RECORD)],
      ["description", "The record has the description of the hook.", routes(RECORD)],
      ["kind", "The record has the kind of the hook.", routes(RECORD)],
    ],
  },
  {
    title: "GET /api/apps/{appId}/pairings",
    rules: [
      [
        "1",
        "The path holds the catalog id of an app.",
        routes("GET /api/apps/{appId}/pairings > a malformed app id is answered with 400: dot.dot"),
      ],
      ["2", "The request has no body.", routes(RECORD)],
      ["3", "The response lists the pairing records of the app.", routes(RECORD)],
      [
        "Outgoing",
        "The declaring app shows the apps it refers to, and its own hook runs.",
        pairings("1: appInstalled on another app"),
      ],
      [
        "Incoming",
        "An app that is referred to shows the declaring app, whose hook runs.",
        pairings("pairing rules > 5: the hook runs on its declaring app in both directions"),
      ],
      ["text", "An incoming pairing shows no other target of the declaring app.", pairings(INCOMING)],
      [
        "text",
        "One app of a pair has to declare the hook.",
        pairings("pairing rules > 3: pairings are derived regardless of what is installed"),
      ],
      [
        "text",
        "The links of the request are child tasks of the install from its beginning.",
        testsOf("engine/lifecycle-rules")(
          "an install > makes directories and shares, runs onBeforeInstall, creates, waits, runs onAfterInstall, then links",
        ),
      ],
    ],
  },
  {
    title: "Pairing rules (cross-app links)",
    rules: [
      ["1", "A condition appInstalled on another app makes a pairing.", pairings("1: appInstalled on another app")],
      ["1", "A condition appRunning on another app makes a pairing.", pairings("1: appRunning on another app")],
      ["1", "A condition appVersion on another app makes a pairing.", pairings("1: appVersion on another app")],
      ["1", "A condition on the declaring app makes none.", pairings("1: a condition on the declaring app alone")],
      ["1", "Without installPicker among the surfaces there is none.", pairings("1: surfaces without installPicker")],
      [
        "2",
        "Each target counts once, the declaring app never.",
        pairings("2: targets stand once each, in the order first named, without the declaring app"),
      ],
      [
        "3",
        "Pairings come from declarations: no code runs, and what is installed has no say.",
        catalog("the pairings of a catalog > do not depend on what is installed, nor on what a script does"),
      ],
      [
        "4",
        "Surfaces without installPicker make no pairing.",
        pairings("4: surfaces narrowed away from installPicker"),
      ],
      ["4", "A hook with a target makes no pairing.", pairings("4: a hook with a target")],
      ["4", "A hook on the card alone makes no pairing.", pairings("4: a card-only hook")],
      [
        "5",
        "The hook runs on the app that declares it.",
        pairings("pairing rules > 5: the hook runs on its declaring app in both directions"),
      ],
      [
        "6",
        "Every target has a row.",
        links(
          "install dialog > 2: links whose other app is installed are checked by default, a row per target, in both directions",
        ),
      ],
      [
        "6",
        "A hook of several targets runs once.",
        linking(
          "an install with links > runs the link after the hooks, once, and notifies of every target that was linked",
        ),
      ],
      [
        "7",
        "A hook with visibility conditions on two apps is hidden until both are there.",
        pairings(
          "pairing rules > 7: every condition must pass, so a hook that sees two apps stays hidden until both are there",
        ),
      ],
      [
        "7",
        "The picker offers such a link nevertheless.",
        links(
          "install dialog > 2: links whose other app is installed are checked by default, a row per target, in both directions",
        ),
      ],
      [
        "8",
        "A pairing hook has no lifecycle event.",
        pairings("directions > drops a lifecycle trigger with a cross-app condition, so it yields no pairing"),
      ],
      ["8", "A pairing hook need not name its events.", pairings("8: a pairing hook usually omits events")],
    ],
  },
  {
    title: "Install dialog",
    rules: [
      [
        "1",
        "An app with pairings has a button Customize Install with the number of options.",
        dialog(
          "install dialog > 1: the button is shown where the app has pairings, from either side, and nowhere else",
        ),
      ],
      [
        "1",
        "An install that opens nothing needs no choice.",
        dialog("install dialog > 1: the default path never forces it open: an install without links runs none"),
      ],
      [
        "2",
        'The picker has a section "Link with your installed apps".',
        names('the names of the specification > the section of the links is "Link with your installed apps"'),
      ],
      [
        "2",
        "Links whose other app is installed are checked by default.",
        links(
          "install dialog > 2: links whose other app is installed are checked by default, a row per target, in both directions",
        ),
      ],
      [
        "3",
        "Installed targets are on, and the closed dialog names the links that will fire.",
        links("install dialog > 3: in the collapsed dialog the links to installed targets behind open gates will fire"),
      ],
      ["4", "A checked target shows its questions and consents in its row.", browser(BY_DIALOG)],
      [
        "4",
        "A target is installed with the answers given there.",
        dialog(
          "install dialog > 4: a missing target brings its questions and consents, and installs with the user's choices",
        ),
      ],
      [
        "5",
        "The row of a hook follows the consents of the hooks it requires.",
        links("install dialog > 5: a row follows the consents of the hooks it requires"),
      ],
      [
        "5",
        "A consent nobody touched is on unless its default is false.",
        links("install dialog > 5: an untouched consent counts as on unless its default is false"),
      ],
      [
        "5",
        "The dialog says so for the toggles chosen so far.",
        toggles(
          "the form for the toggles chosen so far > closes the links behind a consent that is off, and names what fires anew",
        ),
      ],
      [
        "6",
        "A link is not asked what a required hook of the install was told.",
        asking("is nothing a required hook of the install has collected, by input id or by question key"),
      ],
      [
        "6",
        "Without required hooks a link asks everything itself.",
        asking("is everything again without requiresHooks, and the links after it wait behind it until it is answered"),
      ],
    ],
  },
  {
    title: "App card",
    rules: [
      [
        "1",
        "The panel lists every target as connected, installed or not installed.",
        page("an app's page > follows pairings through their three states, and runs the action that connects them"),
      ],
      [
        "1",
        "A target stays connected while the last run of the hook succeeded.",
        card(
          "app card > 1: a target is connected once the hook's last run completed, until a run fails or an app is installed anew",
        ),
      ],
      [
        "1",
        "A hook that connects is run again from the list of actions.",
        page("an app's page > follows pairings through their three states, and runs the action that connects them"),
      ],
      [
        "1",
        "The panel has nothing to press.",
        page(
          "an app's page > shows what is not installed: what it needs, what it links with, and the way to install either",
        ),
      ],
      [
        "2",
        "The card suggests each target that is not installed, a row for each.",
        card("app card > 2: lists outgoing pairings whose target is not installed, one row per target"),
      ],
      [
        "2",
        "The row's button leads to the target's page.",
        page(
          "an app's page > shows what is not installed: what it needs, what it links with, and the way to install either",
        ),
      ],
      [
        "text",
        "A target has the name and icon of its script, else the host's, else its raw id.",
        rules("a pairing > names its targets by their script, else by the host's catalog, else by their raw id"),
      ],
    ],
  },
];
