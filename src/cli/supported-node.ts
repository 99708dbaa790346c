/** Which Node the package runs on, as `engines` in package.json says it. Runs on any Node, so it takes no dependency. */
import packageJson from "../../package.json" with { type: "json" };

/** One alternative of the range: `^MAJOR.MINOR.PATCH`. */
type Floor = readonly [major: number, minor: number, patch: number];

const FLOORS = packageJson.engines.node.split(" || ").map(readFloor);

/** One line that refuses a Node (its version without the `v`), or null where the package runs on it. */
export function refuseNode(version: string): string | null {
  const [major, minor, patch] = readNumbers(version);
  const fits = FLOORS.some(
    (floor) => floor[0] === major && (minor > floor[1] || (minor === floor[1] && patch >= floor[2])),
  );
  return fits ? null : `slipway needs Node ${FLOORS.map(describeFloor).join(" or ")}, this is v${version}`;
}

function readFloor(alternative: string): Floor {
  if (/^\^\d+\.\d+\.\d+$/.test(alternative)) return readNumbers(alternative.slice(1));
  throw new Error(`"${alternative}" in engines is not of the form ^MAJOR.MINOR.PATCH`);
}

function readNumbers(version: string): Floor {
  const [major = Number.NaN, minor = Number.NaN, patch = Number.NaN] = version.split(".").map(Number);
  return [major, minor, patch];
}

function describeFloor([major, minor, patch]: Floor): string {
  return minor === 0 && patch === 0 ? `${major}` : `${major} (${major}.${minor}.${patch} or newer)`;
}
