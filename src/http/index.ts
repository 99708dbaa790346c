/** `slipway/http`: the engine over HTTP, as routes to mount or as a server. */

export { createHttpApp, type HttpAppOptions, type HttpRoutes } from "./app.ts";
export { createPage, type PageOptions } from "./page.ts";
export { type HttpServer, type HttpServerOptions, startHttpServer } from "./server.ts";
