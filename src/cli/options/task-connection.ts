/** Where the tasks are: the options that name an engine's database or a running service, and what is reached by them. */
import { type Command, Option } from "commander";
import { formatOption } from "../ui/format.ts";
import type { Terminal } from "../ui/terminal.ts";
import { createApiTasks } from "./api-tasks.ts";
import { addEngineOptions, type EngineOptions, withEngine } from "./connect.ts";
import { findDatabase, locateDatabase } from "./database.ts";
import { createSend } from "./prove-service.ts";
import { openTaskReader, type TaskReader } from "./read-tasks.ts";
import { createEngineTasks, type TaskService } from "./task-service.ts";
import { byUser } from "./user.ts";

/** Options every command about tasks has. */
export interface TaskOptions extends EngineOptions {
  readonly format: string;
  readonly api?: string;
  readonly tokenFile?: string;
}

/** Adds where the tasks are: an engine's database, or a running service. */
export function addTaskOptions(command: Command): Command {
  return addEngineOptions(command)
    .addOption(formatOption())
    .addOption(new Option("--api <url>", "a running `slipway serve` instead of a database"))
    .option(
      "--token-file <file>",
      "file that holds the service's bearer token (default: DB.token, for a service of this machine)",
    );
}

function findServed({ api, tokenFile, ...options }: TaskOptions): TaskService | null {
  if (api === undefined) return null;
  const db = findDatabase(options);
  return createApiTasks(api, createSend({ api, db, ...(tokenFile !== undefined && { tokenFile }) }));
}

/** Reading starts nothing and works beside the process that owns the database. */
export async function withReader(options: TaskOptions, act: (reader: TaskReader) => Promise<void>): Promise<void> {
  const service = findServed(options);
  if (service !== null) return act(service);
  const reader = openTaskReader(locateDatabase(options));
  try {
    await act(reader);
  } finally {
    reader.close();
  }
}

/** Acts on the tasks of a service, or of an engine that is opened for it. */
export async function withTasks(
  options: TaskOptions,
  terminal: Terminal,
  act: (service: TaskService) => Promise<void>,
): Promise<void> {
  const service = findServed(options);
  if (service !== null) return act(service);
  await withEngine(options, terminal, (engine) => act(createEngineTasks(engine, byUser())));
}
