import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { Drift, DriftFinding, DriftProposal } from "../../engine/api.ts";

/** Drift in lines that nothing of a host can add to: each finding with what helps, then what the look left out. */
export function renderDrift({ findings, lookedAt, skipped, failed }: Drift): readonly string[] {
  return [
    ...findings.flatMap(renderFinding),
    ...(findings.length === 0 && lookedAt !== null ? ["nothing was found that this engine did not leave so"] : []),
    ...skipped.map(({ appId, code }) => `${appId}: left out (${code})`),
    lookedAt === null ? "no look has come to its end yet" : `looked at ${lookedAt}`,
    ...(failed === undefined ? [] : [`the look at ${failed.at} failed: ${failed.code}`, `  hint: ${failed.hint}`]),
  ].map(toLine);
}

function renderFinding({ code, appId, subject, expected, found, hint, proposal }: DriftFinding): string[] {
  const change = [
    ...(expected === undefined ? [] : [`expected "${expected}"`]),
    ...(found === undefined ? [] : [`found "${found}"`]),
  ].join(", ");
  return [
    `${appId}: ${code} ${subject}${change === "" ? "" : `: ${change}`}`,
    `  hint: ${hint}`,
    ...(proposal === null ? [] : [`  try: ${renderProposal(proposal)}`]),
  ];
}

/** The command that starts it. */
function renderProposal(proposal: DriftProposal): string {
  if (proposal.method === "runAction") return `slipway action ${proposal.appId} ${proposal.hookId}`;
  return `slipway ${proposal.method} ${proposal.appId}`;
}

function toLine(text: string): string {
  return showControlCharacters(text).replace(/[\n\t]/g, (character) => (character === "\n" ? "␊" : "␉"));
}
