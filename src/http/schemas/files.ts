import { z } from "zod";
import { FolderRequest, SelectionRequest } from "../../engine/requests.ts";
import { ActionEntry } from "./actions.ts";
import { PairingTarget } from "./pairings.ts";
import { Limit } from "./parts.ts";

/** Which folder to list, and which page of it. */
export const FilesQuery = z.strictObject({
  path: FolderRequest.shape.path
    .unwrap()
    .optional()
    .meta({ description: "Host path of a folder; absent: the locations" }),
  after: FolderRequest.shape.after.unwrap().optional().meta({ description: "`next` of the page before" }),
  limit: Limit.meta({ description: "Most entries to list; 200 by default" }),
});

const Entry = z
  .object({
    name: z.string().meta({ description: "As the file system has it; whoever made the file chose it" }),
    label: z.string().meta({ description: "The name to be shown, characters that could deceive made visible" }),
    path: z.string().meta({ description: "Host path" }),
    kind: z.enum(["folder", "file", "link", "other"]).meta({
      description: "Of a link what it leads to; `link` where that is nothing, or lies outside",
    }),
    isLink: z.boolean(),
    size: z.number().optional().meta({ description: "Bytes; of files" }),
    modified: z.string().optional(),
  })
  .meta({ id: "FileEntry" });

/** Body of `GET files`. */
export const Folder = z
  .object({
    path: z.string().optional().meta({ description: "Absent of the list of locations" }),
    entries: z.array(Entry).readonly(),
    next: z.string().optional().meta({ description: "`after` of the next page; absent on the last one" }),
    whole: z.boolean().meta({ description: "false: the folder holds more than the 200,000 entries looked at" }),
  })
  .meta({ id: "Folder" });

/** Which files are selected. */
export const SelectionQuery = z.strictObject({
  file: z
    .union([SelectionRequest.element, SelectionRequest])
    .meta({ description: "Selected host path; may be repeated" }),
});

/** The same as a body. */
export const Selection = z.strictObject({ files: SelectionRequest }).meta({ id: "Selection" });

/** What `GET files/actions` and `POST files/actions` answer. */
export const FileActions = z
  .object({ actions: z.array(ActionEntry.extend({ app: PairingTarget }).meta({ id: "FileAction" })).readonly() })
  .meta({ id: "FileActions" });
