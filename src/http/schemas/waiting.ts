import { z } from "zod";
import { isJson } from "../../core/json/json.ts";
import type { AskedInput } from "../../core/task/waiting.ts";

/** Why a task failed, and what lies behind that. */
export const Failure = z
  .object({
    code: z.string(),
    message: z.string(),
    context: z.array(z.object({ label: z.string(), value: z.string() })).readonly(),
    retryable: z.boolean(),
    get cause() {
      return Failure.optional();
    },
  })
  .meta({ id: "Failure" });

const since = { since: z.string(), deadline: z.string().optional() };

/** Those that are known: with the author's beside them a client's `authorization` would have to be any JSON. */
type AskedInputMembers = Pick<AskedInput, "id" | "type" | "authorization">;

/** An input as its script declares it, with where its sign-in stands. Its members beside these are the author's. */
const AskedInputShape = z.custom<AskedInputMembers>(isJson).meta({
  id: "AskedInput",
  type: "object",
  required: ["id", "type"],
  properties: {
    id: { type: "string" },
    type: { type: "string", enum: ["oauth", "question"] },
    authorization: {
      type: "object",
      description: "`open` with the address and the code to enter there, or `failed` with the failure",
      required: ["status"],
      properties: {
        status: { type: "string", enum: ["open", "failed"] },
        url: { type: "string" },
        code: { type: "string" },
        expiresAt: { type: "string" },
        failure: { $ref: "#/$defs/Failure" },
      },
    },
  },
  additionalProperties: true,
});

/** Whom or what a task waits for. */
export const WaitingFor = z
  .union([
    z.object({
      ...since,
      kind: z.literal("person"),
      detail: z.union([
        z.object({ child: z.string() }),
        z.object({
          choices: z.tuple([z.literal("input"), z.literal("skip"), z.literal("cancel")]).readonly(),
          inputs: z.array(AskedInputShape).readonly(),
        }),
        z.object({
          choices: z.tuple([z.literal("retry"), z.literal("skip"), z.literal("cancel")]).readonly(),
          checkpoint: z.string().optional(),
          request: z.object({ method: z.string(), url: z.string(), at: z.string() }).optional().meta({
            description:
              "A request that left at this time and may have arrived: retry sends it again, skip gives it up",
          }),
          inputs: z.array(AskedInputShape).readonly().optional().meta({
            description: "Questions that can be answered once more; what is left out keeps its value",
          }),
          warning: z.string().optional(),
        }),
      ]),
    }),
    z.object({
      ...since,
      kind: z.literal("app"),
      detail: z
        .union([
          z.object({ state: z.string() }),
          z.object({ apps: z.array(z.string()).readonly(), reasons: z.array(z.string()).readonly() }),
        ])
        .optional(),
    }),
    z.object({ ...since, kind: z.enum(["host", "network", "time"]) }),
  ])
  .meta({ id: "WaitingFor" });
