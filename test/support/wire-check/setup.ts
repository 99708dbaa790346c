/** Set up before every test file: a frame of a stand-in that the real host would not send or accept fails the test. */
import { afterAll, afterEach, beforeAll } from "vitest";
import { FrameCollector } from "./collect-frames.ts";
import { hasHostSchemas } from "./host-schemas.ts";

if (hasHostSchemas()) {
  const collector = new FrameCollector();
  beforeAll(() => collector.start());
  afterEach(() => collector.throwWrong());
  afterAll(() => collector.end());
}
