/**
 * What the page and a page of others load at once. What most of the rest needs is here too: it is a few hundred bytes. In the
 * order that compresses best, found by trying.
 */
import "./ui/copy-text.ts";
import "./elements/app-page.ts";
import "./ui/keyboard.ts";
import "./elements/app.ts";
import "./elements/catalog.ts";
import "./ui/format/show-unseen.ts";
import "./ui/web-address.ts";
import "./elements/dashboard.ts";
import "./elements/app-icon.ts";
import "./elements/files.ts";
import "./elements/activity.ts";
import "./elements/home.ts";
import "./elements/log.ts";
import "./elements/login.ts";
import "./elements/machine.ts";
