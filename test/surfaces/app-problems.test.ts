import { expect } from "vitest";
import { createHttpApp } from "../../src/http/app.ts";
import { AppDetail } from "../../src/http/schemas/apps.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

it("an app's detail says who has to do something about each problem, by its code", async () => {
  const { engine } = await openWorld({
    catalog: {
      demo: { hooks: [rawHook({ rerun: undefined })] },
      "broken.json": "{",
      // A folder stands where a file is expected: nothing an author's text could mend.
      "odd.json/odd.txt": JSON.stringify(rawScript()),
    },
  });
  const app = createHttpApp(engine);
  const problems = async (appId: string) => {
    const detail = AppDetail.parse(await (await app.request(`/api/apps/${appId}`)).json());
    return detail.problems.map(({ code, audience }) => [code, audience]);
  };
  expect(await problems("demo")).toEqual([["HOOK_RERUN_MISSING", "author"]]);
  expect(await problems("broken")).toEqual([["SCRIPT_JSON_SYNTAX", "author"]]);
  expect(await problems("odd")).toEqual([["CATALOG_FILE_UNREADABLE", "host"]]);
});
