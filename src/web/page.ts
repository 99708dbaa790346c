/** The page: one element that fills it. */
import "./elements/app.ts";

document.body.append(document.createElement("slip-app"));
