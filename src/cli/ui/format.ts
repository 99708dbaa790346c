import { Option } from "commander";

/** `--format text|json` of every command that prints a document. */
export function formatOption(): Option {
  return new Option("--format <format>", "how to print the result").choices(["text", "json"]).default("text");
}
