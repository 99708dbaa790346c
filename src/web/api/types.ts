/** Bodies of the interface, as its own schemas have them: types alone, of which nothing reaches a browser. */
import type { z } from "zod";
import type * as widgetResult from "../../core/hooks/widget-field.ts";
import type * as actions from "../../http/schemas/actions.ts";
import type * as adoptions from "../../http/schemas/adoptions.ts";
import type * as apps from "../../http/schemas/apps.ts";
import type * as drifts from "../../http/schemas/drifts.ts";
import type * as events from "../../http/schemas/events.ts";
import type * as files from "../../http/schemas/files.ts";
import type * as forms from "../../http/schemas/forms.ts";
import type * as notifications from "../../http/schemas/notifications.ts";
import type * as pairings from "../../http/schemas/pairings.ts";
import type * as previews from "../../http/schemas/previews.ts";
import type * as problemDetails from "../../http/schemas/problem-details.ts";
import type * as questions from "../../http/schemas/questions.ts";
import type * as audit from "../../http/schemas/system/audit.ts";
import type * as health from "../../http/schemas/system/health.ts";
import type * as machines from "../../http/schemas/system/machines.ts";
import type * as sessions from "../../http/schemas/system/sessions.ts";
import type * as tasks from "../../http/schemas/tasks.ts";
import type * as waiting from "../../http/schemas/waiting.ts";
import type * as widgets from "../../http/schemas/widgets.ts";

export type { Json } from "../../core/json/json.ts";
export type { Authorization } from "../../core/task/waiting.ts";
export type {
  ActionRequest,
  AdoptRequest,
  DashboardRequest,
  InputRequest,
  InstallRequest,
  UpgradeAllRequest,
} from "../../engine/requests.ts";
export type ActionEntry = z.infer<typeof actions.ActionEntry>;
export type Actions = z.infer<typeof actions.Actions>;
export type AdoptPreview = z.infer<typeof adoptions.AdoptPreview>;
export type AdoptedAnswer = AdoptPreview["answers"][number];
export type UnknownAnswer = AdoptPreview["unknown"][number];
export type Apps = z.infer<typeof apps.Apps>;
export type App = Apps["apps"][number];
export type AppDetail = z.infer<typeof apps.AppDetail>;
export type AuditPage = z.infer<typeof audit.AuditPage>;
export type AuditEntry = AuditPage["entries"][number];
export type Drift = z.infer<typeof drifts.Drift>;
export type DriftFinding = Drift["findings"][number];
export type Session = z.infer<typeof sessions.Session>;
export type TaskEvent = z.infer<typeof events.TaskEvent>;
export type Hint = z.infer<typeof events.Hint>;
export type StreamOpened = z.infer<typeof events.StreamOpened>;
export type Folder = z.infer<typeof files.Folder>;
export type FileEntry = Folder["entries"][number];
export type FileActions = z.infer<typeof files.FileActions>;
export type FileAction = FileActions["actions"][number];
export type Form = z.infer<typeof forms.Form>;
export type FormConsent = Form["consents"][number];
export type FormLink = Form["links"][number];
export type FormLinkTarget = FormLink["targets"][number];
export type FormStep = z.infer<typeof questions.FormStep>;
export type Question = FormStep["sections"][number]["questions"][number];
export type Health = z.infer<typeof health.Health>;
export type Machines = z.infer<typeof machines.Machines>;
export type Machine = Machines["machines"][number];
export type MachineState = Machine["states"][number];
export type Notifications = z.infer<typeof notifications.NotificationList>;
export type Pairings = z.infer<typeof pairings.Pairings>;
export type Preview = z.infer<typeof previews.Preview>;
export type Problem = Preview["problems"][number];
export type RevealedAnswer = z.infer<typeof apps.RevealedAnswer>;
export type ProblemDetails = z.infer<typeof problemDetails.ProblemDetailsShape>;
export type Task = z.infer<typeof tasks.Task>;
export type Tasks = z.infer<typeof tasks.Tasks>;
export type Trace = z.infer<typeof tasks.Trace>;
export type AppSnapshots = z.infer<typeof previews.AppSnapshots>;
export type AppSnapshot = AppSnapshots["snapshots"][number];
export type UpgradeAllPreview = z.infer<typeof previews.UpgradeAllPreview>;
export type UpgradePolicies = z.infer<typeof previews.UpgradePoliciesView>;
export type UpgradePolicy = UpgradePolicies["all"];
export type RollbackPreview = z.infer<typeof previews.RollbackPreview>;
export type UninstallPreview = z.infer<typeof previews.UninstallPreview>;
export type Log = z.infer<typeof tasks.Log>;
export type WaitingFor = z.infer<typeof waiting.WaitingFor>;
export type Failure = z.infer<typeof waiting.Failure>;
export type Widget = z.infer<typeof widgets.Widget>;
export type AllWidgets = z.infer<typeof widgets.AllWidgets>;
export type AppWidget = AllWidgets["widgets"][number];
export type Dashboard = z.infer<typeof widgets.Dashboard>;
export type DashboardTile = Dashboard["tiles"][number];
export type WidgetField = z.infer<typeof widgetResult.WidgetField>;
export type WidgetSize = keyof NonNullable<Widget["sizes"]>;
export type WidgetSummary = z.infer<typeof widgets.WidgetSummary>;
