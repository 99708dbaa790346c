/** The page: one element that fills it, at the path its files come from. */
import "./first-load.ts";
import { speakChosen } from "./ui/language.ts";

const base = new URL("..", import.meta.url).pathname;

await speakChosen();
document.body.append(Object.assign(document.createElement("slip-app"), { base, api: `${base}api` }));
