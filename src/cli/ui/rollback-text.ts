import type { AppSnapshot, RollbackPreview, RollbackRequest } from "../../engine/api.ts";
import { formatBytes } from "./format-bytes.ts";

/** The lines that list what an app can be rolled back to. */
export function renderSnapshots(appId: string, snapshots: readonly AppSnapshot[]): string[] {
  if (snapshots.length === 0) return [`nothing to roll "${appId}" back to: no upgrade or update of it was noted`];
  return snapshots.flatMap(({ id, purpose, at, version, toVersion, datasets }) => [
    `${id}  ${at}  ${purpose}${describeVersions(version, toVersion)}`,
    ...datasets.map(
      ({ name, paths, bytes }) =>
        `  ${paths.join(", ")}  ${name}${bytes === undefined ? "" : `  ${formatBytes(bytes)}`}`,
    ),
  ]);
}

/** The lines that tell a person what a rollback does. */
export function renderRollback(preview: RollbackPreview, { withoutSnapshot = false }: RollbackRequest): string[] {
  const { name, snapshot, impossible, version, options, volumes, restored, kept } = preview;
  const isUnsure = withoutSnapshot && version !== undefined && restored.length > 0;
  return [
    `Rolling back ${name} to ${snapshot.at} (${snapshot.purpose})`,
    version === undefined ? "  stays: its version" : `  goes back: its version, from ${version.from} to ${version.to}`,
    options === "restored"
      ? "  go back: its options, answers and generated secrets"
      : "  stay: its options, answers and generated secrets",
    ...restored.flatMap(({ path, from, since, newer, shares }) => [
      `  goes back: ${path}, to ${from}`,
      `    what was written since ${since} is put aside as a dataset beside it, with ${count(newer.length)}`,
      ...shares.map((share) => `    shared as "${share}": close what is open on it, the host may cut clients off`),
    ]),
    ...(isUnsure ? [`    without a snapshot, version ${version.to} may change it before it is put aside`] : []),
    ...(volumes === "restored" ? ["  lost: what it wrote since to the volumes the host keeps for it"] : []),
    ...kept.map(({ paths, reason }) => `  stays: ${paths.join(", ")} (${reason})`),
    ...(impossible === undefined ? [] : [`  refused: ${impossible}`]),
  ];
}

function count(snapshots: number): string {
  return snapshots === 1 ? "1 newer snapshot" : `${snapshots} newer snapshots`;
}

function describeVersions(version: string | undefined, to: string | undefined): string {
  if (version === undefined) return "";
  return to === undefined ? `  ${version}` : `  ${version} -> ${to}`;
}
