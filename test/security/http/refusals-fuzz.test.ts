/** Strangers fill no disk by being refused, whatever they ask for. */
import fc from "fast-check";
import { expect } from "vitest";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { RefusalLog } from "../../../src/http/refusal-log.ts";
import { fuzz } from "../../support/fuzz.ts";

const CODES = ["HTTP_UNAUTHORIZED", "HTTP_RATE_LIMITED", "HTTP_NOT_FOUND", "HTTP_BAD_REQUEST"] as const;

fuzz(
  "refused requests are all counted, in one line for each reason and one for the rest, with short paths",
  200,
  () => {
    const path = fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 1, max: 500 }));
    const refused = fc.record({
      code: fc.constantFrom(...CODES),
      path: path.map(([part, times]) => part.repeat(times)),
    });
    return fc.property(fc.array(refused, { maxLength: 200 }), (all) => {
      const lines: Readonly<Record<string, unknown>>[] = [];
      const log = new RefusalLog({ ...SILENT_LOGGER, warn: (fields) => void lines.push(fields) });
      for (const one of all) log.note({ ...one, method: "GET", client: "127.0.0.1" });
      log.flush();
      const first = lines.filter((line) => "path" in line);
      const rest = lines.flatMap((line): number[] => Object.values(Object(line["refused"] ?? {})));
      expect(first.length + rest.reduce((sum, count) => sum + count, 0)).toBe(all.length);
      expect(lines.length).toBeLessThanOrEqual(CODES.length + 1);
      for (const line of first) expect(String(line["path"]).length).toBeLessThan(250);
    });
  },
);
