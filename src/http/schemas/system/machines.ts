import { z } from "zod";

const Path = z.string().meta({ description: "Names from the root, joined by dots, as a trace has them" });

const MachineState = z
  .object({
    path: Path,
    kind: z.enum(["atomic", "compound", "final", "history"]),
    isInitial: z.boolean().meta({ description: "Whether its parent begins in it" }),
    text: z.string(),
  })
  .meta({ id: "MachineState" });

const MachineTransition = z
  .object({
    from: Path.meta({ description: "Empty for one that every state has" }),
    to: Path.nullable().meta({ description: "null where it stays" }),
    on: z.enum(["event", "after", "always"]),
    cause: z.string().meta({ description: "Name of the event, the delay, or of `always` the guard" }),
    guard: z.string().optional().meta({ description: "Absent where it is always taken" }),
    text: z.string(),
  })
  .meta({ id: "MachineTransition" });

/** Body of `GET machines`. */
export const Machines = z
  .object({
    machines: z
      .array(
        z
          .object({
            id: z.string(),
            version: z.number().int().meta({ description: "The one new tasks begin with" }),
            states: z.array(MachineState).readonly(),
            transitions: z.array(MachineTransition).readonly(),
          })
          .meta({ id: "Machine" }),
      )
      .readonly(),
  })
  .meta({ id: "Machines" });
