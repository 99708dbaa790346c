/** The page: one element that fills it. */
import "./elements.ts";

document.body.append(document.createElement("slip-app"));
