/** The part about the questions that an app's values are held against. */
import { readHostQuestions } from "../../core/app-values/host-questions.ts";
import { judgeValues } from "../../core/app-values/judge-values.ts";
import { isRefusal } from "../../core/app-values/value-fault.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostWith } from "./under-test.ts";

/** Declares the tests of a host with the group `questions`; `refused`: values of its app that the host does not accept. */
export function describeHostQuestions(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"questions"> & { readonly refused: JsonObject }>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `questions: ${name}`, open, ({ it, create, values, awaitEnd }) => {
    const ask = () => {
      const { host, app } = it();
      return host.appQuestions({ catalogApp: app.id, train: app.train, version: app.newest });
    };

    test("the questions of a version are those createApp holds values against", async () => {
      const found = await ask();
      const { questions, faults, certificates = [] } = readHostQuestions(found?.questions ?? []);
      expect(faults).toEqual([]);
      const refuse = (sent: JsonObject) => judgeValues(questions, sent, { certificates }).faults.filter(isRefusal);
      expect(refuse(values())).toEqual([]);
      const [fault] = refuse(it().refused);
      expect(await awaitEnd(create({ values: it().refused }))).toMatchObject({
        state: "FAILED",
        error: { code: "HOST_INVALID", fields: [{ field: fault?.path.join("."), message: fault?.reason }] },
      });
      expect(await awaitEnd(create())).toMatchObject({ state: "SUCCESS" });
    });

    test("there are none of a version or an app the host does not have", async () => {
      const { host, app } = it();
      const known = { catalogApp: app.id, train: app.train, version: app.newest };
      expect(await host.appQuestions({ ...known, version: "0.0.1" })).toBeNull();
      expect(await host.appQuestions({ ...known, catalogApp: "no-such-app" })).toBeNull();
    });
  });
}
