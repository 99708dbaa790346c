/** `npm run build:web`, and a part of `npm ci`: makes the page and the elements in `dist/web`. */
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build/web.ts";

await buildWeb(fileURLToPath(new URL("../dist/web", import.meta.url)));
