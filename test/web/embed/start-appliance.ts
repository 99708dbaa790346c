/** The server of an appliance that has the interface, the elements and a page of its own. */
import { existsSync, readFileSync } from "node:fs";
import { Server } from "node:http";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { createHttpApp, createPage } from "../../../src/http/index.ts";

export interface Appliance {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): void;
}

/** Serves on a free loopback port: the document at `/`, files of the folder `own` at `/own/`, the elements at `/slipway/`. */
export async function startAppliance(options: {
  readonly document: string;
  readonly own: string;
  /** Content security policy of the document. */
  readonly policy: string | undefined;
  readonly interface: ReturnType<typeof createHttpApp>;
  readonly page: ReturnType<typeof createPage>;
}): Promise<Appliance> {
  const { document, own, policy } = options;
  const app = new Hono();
  app.get("/", (c) => c.html(document, 200, policy === undefined ? {} : { "content-security-policy": policy }));
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/own/:file{[\\w.-]+}", (c) => {
    const file = join(own, c.req.param("file"));
    if (!existsSync(file)) return c.notFound();
    return c.body(readFileSync(file, "utf8"), 200, { "content-type": "text/javascript" });
  });
  app.route("/", options.interface);
  app.route("/slipway", options.page);
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(port));
  const port = await promise;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      if (server instanceof Server) server.closeAllConnections();
      server.close();
    },
  };
}
