/** The duties of docs/host-api.md, section 11 and the tests that hold the stand-in to them, by title. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const DUTIES: Readonly<Record<string, readonly string[]>> = {
  "1 sockets, versions, strict arrays, ids, order, error shapes": [
    "GET /api/versions lists the versions and GET /api/boot_id changes with a reboot only",
    "%s offers versions up to %s",
    "%s accepts a connection: %s",
    "answers come in any order",
    "missing params are none, and a call without id is run but never answered",
    "one argument too many is refused",
    "%s is reproduced",
  ],
  "2 login gate": [
    "ping, set_options and mechanism_choices are open",
    "a failed login waits a second, divided by the speed",
    "end with unsubscribe and with the connection",
  ],
  "3 both job modes, complete and masked jobs": [
    "answers with the id after the added event, and tells every step in order",
    "the answer waits for the job's result or error",
    "values never show in a job's arguments",
    "jobs are found by id, by request id, and unknown ones are an empty list",
    "helper jobs of the host have no request id and no credentials",
    "a service restart forgets all jobs and numbers the next from 1",
  ],
  "4 lifecycle time": [
    "registers, deploys and becomes running; the job ends while it is still DEPLOYING",
    "at speed %i an install waits for its pull longest, and nothing is left out",
  ],
  "5 locks and coalescing": [
    "same verb and app run one after another, five wait, the next gets the last waiting job",
    "different verbs on one app do not exclude each other",
    "26.0 locks ownership per path",
  ],
  "6 argument errors inside the job": [
    "argument errors surface inside the job",
    "a call without an argument object cannot even be queued",
    "a session pinned to an older version gets argument errors of jobs directly",
  ],
  "7 app rules": [
    "a taken name is EEXIST in the host's words",
    "%s is ENOENT and leaves nothing",
    "%s fails in the host's words",
    "replaces top-level sections whole, refills defaults, and ignores reserved keys",
    "a stopped app has no workloads and leaves its port",
    "with the apps service %s it fails, and queries answer as if nothing were installed",
    "a port in use is a render conflict, after which the instance is removed",
    "a host path must exist before",
    "unknown value keys are kept, and defaults refill the rest",
  ],
  "8 AppEntry in answers and events": [
    "portals are on 0.0.0.0 in results and on the host's address in queries",
    "events of app.query keep portals on 0.0.0.0, show STOPPING, and end with removed",
    "events of a failed create end with removed",
    "ports have a row for IPv4 and one for IPv6, and the helper container has exited with mounts of its own",
    "%s shows the portals and published ports of its kind",
  ],
  "9 files, datasets, accounts, snapshots": [
    "mkdir makes one real directory of root's",
    "sets owner and entries, recursively when asked to, not into child datasets",
    "carry their metadata, are unique, and go",
    "group docker exists",
    "fault update-changes-owner hands the app's host paths to root",
  ],
  "10 jobs without a client": ["a job runs to its end with no client, and a later session finds it by request id"],
  "11 limits": [
    "the 21st call in flight gets -32000 at once, and ten run at a time",
    "a silent connection is cut after the idle time, one with answers is not",
    "the 21st call before login in a minute is delayed and answered EBUSY, none after login",
  ],
  "12 deterministic, resettable, inspectable": [
    "equal seeds give equal ids",
    "reset forgets apps, files, shares, jobs, releases and requests but not the key",
    "takes commands with the API key only, and answers with their result",
  ],
  "versions (section 12)": [
    "%s has %s and lacks %s",
    "generations differ in their fields",
    "25.04 has flat fields and other preset names",
    "26.0 leaves trace.frames out",
    "26.0 shows metadata only at zfs.resource.snapshot.query, and a duplicate as an argument error",
    "%s runs a call of a closed connection on: %s",
  ],
};

const titles = readdirSync(import.meta.dirname)
  .filter((name) => name !== "duties.test.ts" && name.endsWith(".test.ts"))
  .flatMap((name) => [
    ...readFileSync(`${import.meta.dirname}/${name}`, "utf8").matchAll(/"((?:[^"\\]|\\.)+)",\s+async/g),
  ])
  .map(([, title]) => title);

test.each(Object.entries(DUTIES))("duty %s is held by tests", (_, held) => {
  for (const title of held) expect(titles).toContain(title);
});
