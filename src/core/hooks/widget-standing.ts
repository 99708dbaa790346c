import type { HostFacts } from "../plan/host-facts.ts";
import type { Widget } from "../script/dictionary.ts";
import { type Availability, evaluateConditions } from "./conditions.ts";

/**
 * Whether a widget is listed, and why it shows no data: its conditions first, then its app. Null apps are those of a
 * host that has never answered: what depends on them does not pass, and no app is called "not installed".
 */
export function checkWidget(
  appId: string,
  { conditions }: Pick<Widget, "conditions">,
  apps: HostFacts["apps"] | null,
): Availability {
  const availability = evaluateConditions(conditions, apps ?? {});
  if (availability.state === "hidden") return availability;
  if (apps === null) return { state: "disabled", reason: "the host has not answered yet" };
  if (availability.state === "disabled" || Object.hasOwn(apps, appId)) return availability;
  return { state: "disabled", reason: `"${appId}" is not installed` };
}
