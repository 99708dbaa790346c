import type { CodeRow } from "../codes.ts";

/** Codes of macros in directories, app values and question defaults. */
export const MACRO_CODES = {
  MACRO_UNKNOWN: {
    title: "The macro is not known",
    hint: "use one of the macros of the specification",
    section: "Macros",
    bad: '{ "path": "$PATH(Media)" }',
    good: '{ "path": "$LOCATION(Media)" }',
  },
  MACRO_PARENTHESES: {
    title: "A macro that takes arguments stands without its parentheses",
    hint: "write the arguments in parentheses behind the name, or take the dollar sign away",
    section: "Macros",
    bad: '{ "gpus": "$GPU_CONFIG" }',
    good: '{ "gpus": "$GPU_CONFIG()" }',
  },
  MACRO_UNCLOSED: {
    title: "A macro has no closing parenthesis",
    hint: "add the closing parenthesis",
    section: "Macros",
    bad: '{ "memory": "$MEMORY(10%, 2048" }',
    good: '{ "memory": "$MEMORY(10%, 2048)" }',
  },
  MACRO_ARGUMENTS: {
    title: "The arguments of a macro do not fit it",
    hint: "write the arguments as the specification shows them; put quotes around an argument that holds a comma",
    section: "Macros",
    bad: '{ "secret": "$RANDOM_STRING(none)" }',
    good: '{ "secret": "$RANDOM_STRING(16)" }',
  },
  MACRO_NESTING: {
    title: "Macros or values are nested too deeply",
    hint: "write it with fewer levels",
    section: "Macros",
  },
  MACRO_QUESTION_UNDECLARED: {
    title: "A macro names a question the script does not declare",
    hint: 'declare the question in "installation_questions" or correct the key',
    section: "Macros",
    bad: '{ "admin": "$QUESTION(admin)" }',
  },
  MACRO_LOCATION_UNDECLARED: {
    title: 'A macro names a location that "requirements.locations" does not list',
    hint: 'add the location to "requirements.locations"',
    section: "Requirements object, rule 1",
    bad: '{ "requirements": { "locations": [] }, "ensure_directories_exists": [{ "path": "$LOCATION(Media)/x" }] }',
  },
  MACRO_BARE_NAME: {
    title: "A dollar sign with a name that is no macro is kept as text",
    hint: "correct the name if a macro was meant",
    section: "Macros",
    bad: '{ "home": "$HOME/config" }',
  },
  MACRO_LOOKALIKE: {
    title: "A text looks like a macro without its dollar sign",
    hint: "put a dollar sign before the name if the macro was meant",
    section: "Macros",
    bad: '{ "admin": "QUESTION(admin)" }',
    good: '{ "admin": "$QUESTION(admin)" }',
  },
  MACRO_IN_KEY: {
    title: "A macro in a key is not replaced",
    hint: "move the macro into the value",
    section: "Macros",
    bad: '{ "$SERVER_LAN_IP": "address" }',
  },
  MACRO_LITERAL_PATH: {
    title: "A host path is written out instead of starting at a location",
    hint: "begin the path with $LOCATION(...)",
    section: "Macros",
    bad: '{ "data": "$HOST_PATH(/mnt/tank/data)" }',
    good: '{ "data": "$HOST_PATH($LOCATION(Media)/data)" }',
  },
  MACRO_BRANCH_JSON: {
    title: "A branch of $IF begins like JSON but is none",
    hint: "correct the JSON; keys and texts need quotes",
    section: "Macros",
    bad: '{ "gpus": "$IF(true, {use_all_gpus: false})" }',
    good: `{ "gpus": "$IF(true, {'use_all_gpus': false})" }`,
  },
  MACRO_INSTALLONLY_LOST: {
    title: "The answer to an installonly question can't be recovered on an update",
    hint: "use the question's macro as a whole string somewhere in app_values",
    section: "Installation question",
  },
  MACRO_VALUE: {
    title: "A macro can't be resolved with the values it got",
    hint: "see the macro and its answers; correct the answer or the script",
    section: "Macros",
  },
  MACRO_CYCLE: {
    title: "The default of a question needs its own answer",
    hint: "give the question an answer, or a default that does not lead back to it",
    section: "Installation question",
  },
} as const satisfies Record<string, CodeRow>;
