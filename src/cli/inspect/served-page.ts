/** The page of a running service. */
import { EngineError } from "../../core/codes/problems.ts";
import { createApiTasks } from "../options/api-tasks.ts";
import { createSend, type ServiceOptions } from "../options/prove-service.ts";

/**
 * The address of a running service's page, without a slash at its end. Throws `CLI_API_FAILED` where nobody answers or no
 * page is shown, and what the service refuses with.
 */
export async function findServedPage(options: ServiceOptions): Promise<string> {
  const { api } = options;
  await createApiTasks(api, createSend(options)).tasks({ limit: 1 });
  const url = api.replace(/\/$/, "").replace(/\/api$/, "");
  const page = await fetch(`${url}/`, { method: "HEAD" }).catch((error: unknown) => {
    throw new EngineError("CLI_API_FAILED", `"${api}" can't be reached`, { api }, error);
  });
  if (page.ok && page.headers.get("content-type")?.startsWith("text/html") === true) return url;
  throw new EngineError("CLI_API_FAILED", `"${url}" answers, but shows no page: it was not built there`, { api });
}
