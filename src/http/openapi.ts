/** The head of the OpenAPI 3.1 document; its paths come from the routes, its server from where they are mounted. */
export const OPENAPI = {
  openapi: "3.1.0",
  info: {
    title: "Slipway",
    version: "1",
    description: "Installs, upgrades and links catalog apps on a storage appliance.",
  },
};
