import { z } from "zod";

/** Body of `POST session`. */
export const SessionRequest = z.strictObject({ token: z.string().max(4_096) }).meta({ id: "SessionRequest" });

/** An open session; the cookie is in the response's head. */
export const Session = z.object({ expires: z.string().meta({ description: "ISO 8601 UTC" }) }).meta({ id: "Session" });

/** What the server hands a request beside it: from which address it is, with which session, and whether by https. */
export const Caller = z.object({ client: z.string(), session: z.string().nullable(), isSecure: z.boolean() });
export type Caller = Readonly<z.infer<typeof Caller>>;
