/** What the page and a page of others load at once. What most of the rest needs is here too: it is a few hundred bytes. */
import "./elements/activity.ts";
import "./elements/app.ts";
import "./elements/app-icon.ts";
import "./elements/app-page.ts";
import "./elements/catalog.ts";
import "./elements/dashboard.ts";
import "./elements/files.ts";
import "./elements/home.ts";
import "./elements/log.ts";
import "./elements/login.ts";
import "./elements/machine.ts";
import "./ui/copy-text.ts";
import "./ui/web-address.ts";
