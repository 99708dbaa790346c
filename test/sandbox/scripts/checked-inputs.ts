import type { HookContext } from "slipway/hook-api";

const port = {
  parse(value: unknown): number {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1 || number > 65535) throw new Error(`"${String(value)}" is no port`);
    return number;
  },
};

const address = {
  "~standard": {
    version: 1,
    vendor: "own",
    validate: (value: unknown) =>
      typeof value === "string" && value.includes("@") ? { value } : { issues: [{ message: "no address" }] },
  },
} as const;

export async function read(ctx: HookContext) {
  const account = ctx.getInput<{ authToken: string }>("account");
  const told = await fetch(`${ctx.baseUrl}/claim`, { method: "POST", headers: { "X-Token": account.authToken } });
  const result = { status: told.status, port: ctx.getInput("port", port), mail: ctx.getInput("mail", address), wrong: [] as string[] };
  for (const id of ["missing", "badPort", "badMail"]) {
    try {
      ctx.getInput<unknown>(id, id === "badMail" ? address : port);
    } catch (error) {
      result.wrong.push((error as Error).message);
    }
  }
  return result;
}
