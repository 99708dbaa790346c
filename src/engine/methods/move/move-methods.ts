import type { Lifecycles } from "../../api.ts";
import type { Audit } from "../../audit/audit.ts";
import { SecretSeal } from "../../move/seal-secrets.ts";
import { ExportRequest, ImportRequest, readRequest } from "../../requests.ts";
import type { MethodDeps } from "../deps.ts";
import { exportApps } from "./export-apps.ts";
import { importApps, previewImport } from "./import-apps.ts";

/** Makes the part of the engine that moves apps from one box to another. */
export function createMoveMethods(
  deps: MethodDeps,
  audit: Audit,
): Pick<Lifecycles, "exportApps" | "importApps" | "previewImport"> {
  const seal = new SecretSeal();
  return {
    exportApps: (request, by) =>
      audit.act("exportApps", {}, by, () => exportApps(deps, seal, readRequest(ExportRequest, request))),
    importApps: (request, by) =>
      audit.change("importApps", {}, by, (deed) =>
        importApps({ ...deps, deed }, seal, readRequest(ImportRequest, request)),
      ),
    previewImport: async (request) => previewImport(deps, seal, readRequest(ImportRequest, request)),
  };
}
