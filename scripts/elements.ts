/** `npm run elements [PORT]`: every element of `slipway/elements` live, with the text that makes it, until Control-C. */
import { once } from "node:events";
import { openExamples } from "./elements/open-examples.ts";

const interrupted = once(process, "SIGINT");
const { url, close } = await openExamples(Number(process.argv[2] ?? 8_766));
console.log(`the elements: ${url}`);
await interrupted;
await close();
