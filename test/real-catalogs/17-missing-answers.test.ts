import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";

const question = (key: string, type = "text") => ({ question: `${key}?`, type, key, required: true });

describe("missing required answers", () => {
  it("are listed in question order, with faulty ones among them", async () => {
    const questions = [question("zone"), question("port", "number"), question("admin"), question("mail")];
    const world = await openWorld({ catalog: { demo: { installation_questions: questions } } });
    const places = ["answers.zone", "answers.port", "answers.admin", "answers.mail"];
    const answers = { port: "eighty" };
    const refused = await world.engine.install("demo", { answers }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "ANSWER_REQUIRED",
      message: expect.stringMatching(/"zone"/),
      details: { problems: places.map((place) => ({ path: place.split(".") })) },
    });
    const { problems } = await world.engine.preview("demo", { answers });
    const faults = problems.filter(({ severity }) => severity === "error");
    expect(faults.map(({ path }) => path.join("."))).toEqual(places);
  });
});
