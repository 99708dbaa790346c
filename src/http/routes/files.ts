import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { FileActions, FilesQuery, Folder, Selection, SelectionQuery } from "../schemas/files.ts";

const listFiles = createRoute({
  operationId: "listFiles",
  method: "get",
  path: "/files",
  summary: "A folder below a location of the host, or the locations",
  description:
    "Names, kinds, sizes and times, never content; folders first. A path with `..`, outside every location, or behind a link that leads out of its location is `FILE_OUTSIDE`. Names are whatever an app's containers made of them: show `label`, as text.",
  request: { query: FilesQuery },
  responses: { 200: defineJsonContent(Folder, "A page of what it holds"), ...ERRORS },
});

const listFileActions = createRoute({
  operationId: "listFileActions",
  method: "get",
  path: "/files/actions",
  summary: "What the installed apps can do with selected files",
  request: { query: SelectionQuery },
  responses: { 200: defineJsonContent(FileActions, "Enabled and disabled actions that take all of them"), ...ERRORS },
});

const askFileActions = createRoute({
  operationId: "askFileActions",
  method: "post",
  path: "/files/actions",
  summary: "The same for more files than an address has room for; nothing is changed",
  request: { body: defineJsonBody(Selection, true) },
  responses: { 200: defineJsonContent(FileActions, "Enabled and disabled actions that take all of them"), ...ERRORS },
});

/** Files of the host: looking at them, and what can be done with a selection. */
export function addFileRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app
    .openapi(listFiles, async (c) => {
      const { path, after, limit } = c.req.valid("query");
      const folder = await engine.files({
        ...(path !== undefined && { path }),
        ...(after !== undefined && { after }),
        ...(limit !== undefined && { limit }),
      });
      return c.json(folder, 200, NO_STORE);
    })
    .openapi(listFileActions, async (c) =>
      c.json({ actions: await engine.fileActions([c.req.valid("query").file].flat()) }, 200, NO_STORE),
    )
    .openapi(askFileActions, async (c) =>
      c.json({ actions: await engine.fileActions(c.req.valid("json").files) }, 200, NO_STORE),
    );
}
