/**
 * Fetches web-platform-tests as Debian's source package of Node.js carries them (facts/build-notes.md,
 * "web-platform-tests"): never committed, kept in the user's cache. The machine's own package lists are not touched.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const RECIPE = `set -e
command -v apt-get >/dev/null
apt-get -q update >/dev/null || true
uri=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1)
mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/parts"
printf 'Types: deb-src\\nURIs: %s\\nSuites: trixie\\nComponents: main\\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\\n' "$uri" > "$dir/parts/wpt.sources"
printf 'Dir::Etc::sourcelist "/dev/null";\\nDir::Etc::sourceparts "%s/parts";\\nDir::State::lists "%s/lists";\\nDir::Cache "%s/cache";\\nAPT::Sandbox::User "root";\\n' "$dir" "$dir" "$dir" > "$dir/apt.conf"
export APT_CONFIG="$dir/apt.conf"
apt-get -q update >/dev/null
cd "$dir"
apt-get -q source --download-only --tar-only nodejs >/dev/null
tar xJf nodejs_*.orig.tar.xz --strip-components=1 --wildcards '*/test/fixtures/wpt'
`;

/** The suite's folder, fetched on first use (20 MB, some seconds); null where apt-get cannot bring it. */
export function fetchSuite(): string | null {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "slipway");
  const suite = join(cache, "wpt-nodejs-trixie");
  if (existsSync(suite)) return suite;
  const dir = join(cache, `wpt-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  try {
    const { status, stderr, error } = spawnSync("sh", ["-c", RECIPE], {
      env: { ...process.env, dir },
      encoding: "utf8",
    });
    if (status !== 0) {
      console.error(error?.message ?? stderr.trim());
      return null;
    }
    renameSync(join(dir, "test/fixtures/wpt"), suite);
    return suite;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
