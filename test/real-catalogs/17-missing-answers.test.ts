import { afterEach, describe, expect, it } from "vitest";
import { createEngineWorld, type EngineWorld } from "../support/engine/engine-world.ts";

let world: EngineWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const question = (key: string, type = "text") => ({ question: `${key}?`, type, key, required: true });

describe("missing required answers", () => {
  it("are listed in question order, with faulty ones among them", async () => {
    const questions = [question("zone"), question("port", "number"), question("admin"), question("mail")];
    world = await createEngineWorld({ catalog: { demo: { installation_questions: questions } } });
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
