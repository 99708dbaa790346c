import { z } from "zod";

/** Body of `POST session`. */
export const SessionRequest = z.strictObject({ token: z.string().max(4_096) }).meta({ id: "SessionRequest" });

/** An open session; the cookie is in the response's head. */
export const Session = z
  .object({
    expires: z.string().meta({ description: "ISO 8601 UTC" }),
    key: z.string().meta({ description: "Sent as `x-slipway` beside the cookie, which counts for nothing without it" }),
  })
  .meta({ id: "Session" });

/** What the server adds to a request: its client, its session, whether it came by https, and its own end of the connection. */
export const Caller = z.object({
  client: z.object({ address: z.string(), proxy: z.string().exactOptional() }),
  session: z.string().nullable(),
  isSecure: z.boolean(),
  server: z.object({ address: z.string(), port: z.int() }),
});
export type Caller = Readonly<z.infer<typeof Caller>>;
