/** Every operation by Hono's own client: its types come from the routes, so it compiles only where they say the truth. */
import { hc } from "hono/client";
import type { HttpRoutes } from "../../../src/http/index.ts";
import type { Calls } from "./client-calls.ts";

/** Makes the calls of a client; `base` is the address of the routes, e.g. `http://127.0.0.1:8765/api`. */
export function callsOfHono(base: string): Calls {
  const client = hc<HttpRoutes>(base);
  return {
    async listApps() {
      const answer = await client.apps.$get({ query: {} });
      return { status: answer.status, read: (await answer.json()).apps.map(({ appId }) => appId).join(" ") };
    },
    async getApp({ appId }) {
      const answer = await client.apps[":appId"].$get({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).appId };
    },
    async getForm({ appId }) {
      const answer = await client.apps[":appId"].form.$get({ param: { appId }, query: { mode: "install" } });
      return { status: answer.status, read: (await answer.json()).appId };
    },
    async chooseForm({ appId }) {
      const answer = await client.apps[":appId"].form.$post({ param: { appId }, query: {}, json: {} });
      return { status: answer.status, read: (await answer.json()).appId };
    },
    async revealAnswer({ appId }) {
      const param = { appId, key: "admin_password" };
      const answer = await client.apps[":appId"].answers[":key"].reveal.$post({ param });
      return { status: answer.status, read: (await answer.json()).value };
    },
    async preview({ appId }) {
      const json = { answers: { admin_user: "ada" } };
      const answer = await client.apps[":appId"].preview.$post({ param: { appId }, query: {}, json });
      return { status: answer.status, read: (await answer.json()).appId };
    },
    async installApp({ appId }) {
      const answer = await client.apps[":appId"].install.$post({ param: { appId }, json: { links: "default" } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async upgradeApp({ appId }) {
      const answer = await client.apps[":appId"].upgrade.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async upgradeAll({ appId }) {
      const answer = await client.upgrades.$post({ json: { apps: [appId] } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async previewUpgradeAll({ appId }) {
      const answer = await client.upgrades.preview.$post({ json: { apps: [appId] } });
      return { status: answer.status, read: (await answer.json()).upgrades[0]?.appId };
    },
    async getUpgradePolicies() {
      const answer = await client.upgrades.policies.$get();
      return { status: answer.status, read: (await answer.json()).all.mode };
    },
    async setUpgradePolicies({ appId }) {
      const json = {
        all: { mode: "automatic" as const, cron: "0 3 * * *" },
        apps: { [appId]: { mode: "manual" as const } },
      };
      const answer = await client.upgrades.policies.$put({ json });
      return { status: answer.status, read: (await answer.json()).all.mode };
    },
    async exportApps() {
      const answer = await client.export.$post({ json: { withoutSecrets: true } });
      return { status: answer.status, read: (await answer.json()).sealed };
    },
    async previewImport({ file = "" }) {
      const answer = await client.import.preview.$post({ json: { file } });
      return { status: answer.status, read: (await answer.json()).apps[0]?.how };
    },
    async importApps({ file = "" }) {
      const answer = await client.import.$post({ json: { file } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async updateApp({ appId }) {
      const answer = await client.apps[":appId"].update.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async startApp({ appId }) {
      const answer = await client.apps[":appId"].start.$post({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async stopApp({ appId }) {
      const answer = await client.apps[":appId"].stop.$post({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async restartApp({ appId }) {
      const answer = await client.apps[":appId"].restart.$post({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async listMachines() {
      const answer = await client.machines.$get();
      return { status: answer.status, read: (await answer.json()).machines.length > 0 };
    },
    async previewAdopt({ appId }) {
      const answer = await client.apps[":appId"].adopt.preview.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).instance };
    },
    async adoptApp({ appId }) {
      const answer = await client.apps[":appId"].adopt.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async previewUninstall({ appId }) {
      const json = { keepData: false };
      const answer = await client.apps[":appId"].uninstall.preview.$post({ param: { appId }, json });
      return { status: answer.status, read: (await answer.json()).keepData };
    },
    async uninstallApp({ appId }) {
      const answer = await client.apps[":appId"].uninstall.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async listSnapshots({ appId }) {
      const answer = await client.apps[":appId"].snapshots.$get({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).snapshots[0]?.purpose };
    },
    async previewRollback({ appId }) {
      const answer = await client.apps[":appId"].rollback.preview.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).options };
    },
    async rollbackApp({ appId }) {
      const answer = await client.apps[":appId"].rollback.$post({ param: { appId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async listActions({ appId }) {
      const answer = await client.apps[":appId"].actions.$get({ param: { appId }, query: { surface: "card" } });
      return { status: answer.status, read: (await answer.json()).actions.map(({ hookId }) => hookId).join(" ") };
    },
    async runAction({ appId, hookId }) {
      const answer = await client.apps[":appId"].actions[":hookId"].$post({ param: { appId, hookId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async getPairings({ appId }) {
      const answer = await client.apps[":appId"].pairings.$get({ param: { appId } });
      return { status: answer.status, read: answer.status === 200 ? (await answer.json()).appId : null };
    },
    async getIcon({ appId }) {
      const answer = await client.apps[":appId"].icon.$get({ param: { appId }, query: {} });
      return { status: answer.status, read: answer.headers.get("content-type") };
    },
    async listWidgets({ appId }) {
      const answer = await client.apps[":appId"].widgets.$get({ param: { appId } });
      return { status: answer.status, read: (await answer.json()).widgets.map(({ widgetId }) => widgetId).join(" ") };
    },
    async getWidget({ appId }) {
      const param = { appId, widgetId: "library" };
      const answer = await client.apps[":appId"].widgets[":widgetId"].$get({ param });
      return { status: answer.status, read: (await answer.json()).widgetId };
    },
    async listAllWidgets() {
      const answer = await client.widgets.$get({ query: { installed: "true" } });
      const { widgets } = await answer.json();
      return { status: answer.status, read: widgets.map(({ app, widgetId }) => `${app.appId}/${widgetId}`).join(" ") };
    },
    async getDashboard() {
      const answer = await client.dashboard.$get();
      return { status: answer.status, read: (await answer.json()).arranged };
    },
    async arrangeDashboard({ appId }) {
      const answer = await client.dashboard.$put({ json: { tiles: [{ appId, widgetId: "library" }] } });
      return { status: answer.status, read: (await answer.json()).arranged };
    },
    async listFiles() {
      const answer = await client.files.$get({ query: {} });
      return { status: answer.status, read: (await answer.json()).entries.map(({ name }) => name).join(" ") };
    },
    async listFileActions() {
      const answer = await client.files.actions.$get({ query: { file: ["/mnt/tank/Media/a.mkv"] } });
      return { status: answer.status, read: (await answer.json()).actions.length };
    },
    async askFileActions() {
      const answer = await client.files.actions.$post({ json: { files: ["/mnt/tank/Media/a.mkv"] } });
      return { status: answer.status, read: (await answer.json()).actions.length };
    },
    async listTasks({ appId }) {
      const answer = await client.tasks.$get({ query: { app: appId, limit: "1" } });
      return { status: answer.status, read: (await answer.json()).tasks.length };
    },
    async getTask({ taskId }) {
      const answer = await client.tasks[":id"].$get({ param: { id: taskId } });
      return { status: answer.status, read: (await answer.json()).state };
    },
    async getHistory({ taskId }) {
      const answer = await client.tasks[":id"].events.$get({ param: { id: taskId }, query: { limit: "1" } });
      return { status: answer.status, read: (await answer.json()).events.length };
    },
    async getLog({ taskId }) {
      const answer = await client.tasks[":id"].log.$get({ param: { id: taskId }, query: {} });
      return { status: answer.status, read: (await answer.json()).lines.length };
    },
    async getTrace({ taskId }) {
      const answer = await client.tasks[":id"].trace.$get({ param: { id: taskId }, query: {} });
      return { status: answer.status, read: (await answer.json()).machine };
    },
    async giveInput({ taskId }) {
      const answer = await client.tasks[":id"].input.$post({
        param: { id: taskId },
        query: {},
        json: { notebook: "Logbook" },
      });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async retryTask({ taskId }) {
      const answer = await client.tasks[":id"].retry.$post({ param: { id: taskId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async skipTask({ taskId }) {
      const answer = await client.tasks[":id"].skip.$post({ param: { id: taskId }, json: {} });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async cancelTask({ taskId }) {
      const answer = await client.tasks[":id"].cancel.$post({ param: { id: taskId } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async dismissTask({ taskId }) {
      const answer = await client.tasks[":id"].dismiss.$post({ param: { id: taskId } });
      return { status: answer.status, read: (await answer.json()).kind };
    },
    async followEvents() {
      const answer = await client.events.$get({ query: { from: "0" }, header: {} });
      await answer.body?.cancel();
      return { status: answer.status, read: answer.headers.get("content-type") };
    },
    async listNotifications() {
      const answer = await client.notifications.$get({ query: { unread: "true" } });
      return { status: answer.status, read: (await answer.json()).notifications.length };
    },
    async readNotification({ notificationId }) {
      const answer = await client.notifications[":id"].read.$post({ param: { id: notificationId } });
      return { status: answer.status, read: (await answer.json()).id };
    },
    async readNotifications() {
      const answer = await client.notifications.read.$post();
      return { status: answer.status, read: (await answer.json()).read };
    },
    async listAudit() {
      const answer = await client.audit.$get({ query: { limit: "1" } });
      return { status: answer.status, read: (await answer.json()).entries[0]?.method };
    },
    async getDrift() {
      const answer = await client.drift.$get();
      return { status: answer.status, read: Array.isArray((await answer.json()).findings) };
    },
    async lookForDrift() {
      const answer = await client.drift.look.$post();
      return { status: answer.status, read: Array.isArray((await answer.json()).findings) };
    },
    async sync() {
      const answer = await client.catalog.sync.$post();
      return { status: answer.status, read: (await answer.json()).removed.length };
    },
    async health() {
      const answer = await client.health.$get();
      return { status: answer.status, read: (await answer.json()).ok };
    },
    async live() {
      const answer = await client.health.live.$get();
      return { status: answer.status, read: (await answer.json()).live };
    },
    async ready() {
      const answer = await client.health.ready.$get();
      return { status: answer.status, read: (await answer.json()).ready };
    },
  };
}
