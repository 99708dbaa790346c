import type { Attack } from "./attack.ts";

const M = "ctx.mounts[0].localPath";

/** Files out of the mounts, hosts out of the policy. */
export const OUTSIDE_ATTACKS: readonly Attack[] = [
  denied("reads /etc/passwd", "fs.readFileSync('/etc/passwd');"),
  denied("reads by dots", `fs.readFileSync(${M} + '/../../../../etc/passwd');`),
  denied("reads through a symlink", `fs.readFileSync(${M} + '/passwd');`),
  denied("reads through a linked folder", `fs.readFileSync(${M} + '/etc/passwd');`),
  denied("lists through a linked folder", `fs.readdirSync(${M} + '/etc');`),
  denied("stats through a symlink", `fs.statSync(${M} + '/passwd').size;`),
  denied("reads through a magic link", `fs.readFileSync(${M} + '/self/environ');`),
  denied("reads the engine's environment", "fs.readFileSync('/proc/self/environ');"),
  denied("reads with a NUL", `fs.readFileSync(${M} + '/a.txt\\0/../x');`, "script_error"),
  denied("reads a FIFO", `fs.readFileSync(${M} + '/fifo');`),
  denied("reads beside the mount", `fs.readFileSync(${M} + '-beside/secret');`),
  denied("reads a relative path", "fs.readFileSync('etc/passwd');"),
  denied("opens a database outside", "new Database('/etc/passwd', { readonly: true });", "script_error"),
  ends(
    "attaches a database outside",
    `new Database(${M} + '/x.db', { readonly: true }).query("attach '/etc/passwd' as p").all();`,
    "script_error",
  ),
  ends(
    "writes to a database",
    `new Database(${M} + '/x.db', { readonly: true }).query('delete from t').all();`,
    "script_error",
  ),
  ends(
    "loads an extension",
    `new Database(${M} + '/x.db', { readonly: true }).query("select load_extension('/x.so')").all();`,
    "script_error",
  ),
  ends(
    "reads a file that is no database",
    `new Database(${M} + '/a.txt', { readonly: true }).query('select 1 from t').all();`,
    "script_error",
  ),
  ends("reads a file past the limit", `fs.readFileSync(${M} + '/big.bin');`, "quota_files"),
  ends("reads files past the limit in all", `for (;;) fs.readFileSync(${M} + '/three.bin');`, "quota_files"),
  ends("lists a directory past the limit", `fs.readdirSync(${M} + '/many');`, "quota_directory"),
  denied("fetches a loopback literal", "await fetch('http://127.0.0.2/');"),
  denied("fetches loopback in hexadecimal", "await fetch('http://0x7f.2/');"),
  denied("fetches loopback as one number", "await fetch('http://2130706434/');"),
  denied("fetches loopback in full-width digits", "await fetch('http://\\uff11\\uff12\\uff17.0.0.2/');"),
  denied("fetches a port of the host that no app has", "await fetch('http://127.0.0.1:22/');"),
  denied("fetches IPv6 loopback", "await fetch('http://[::1]/');"),
  denied("fetches loopback mapped into IPv6", "await fetch('http://[::ffff:127.0.0.2]/');"),
  denied("fetches loopback compatible with IPv6", "await fetch('http://[::127.0.0.2]/');"),
  denied("fetches loopback by NAT64", "await fetch('http://[64:ff9b::7f00:2]/');"),
  denied("fetches loopback by 6to4", "await fetch('http://[2002:7f00:2::]/');"),
  denied("fetches loopback by Teredo", "await fetch('http://[2001:0:7f00:2::]/');"),
  denied("fetches cloud metadata", "await fetch('http://169.254.169.254/latest/meta-data/');"),
  denied("fetches a private address", "await fetch('http://192.168.77.1/');"),
  denied("fetches a container bridge", "await fetch('http://172.17.0.1/');"),
  denied("fetches the address of nothing", "await fetch('http://0.0.0.0/');"),
  denied("fetches a multicast address", "await fetch('http://224.0.0.1/');"),
  denied("fetches an odd port of a public address", "await fetch('http://93.184.215.14:8080/');"),
  denied("fetches a name that leads to loopback", "await fetch('http://rebind.test/');"),
  denied(
    "fetches a name that changes its mind",
    "await fetch('http://flip.test/').catch(() => {}); await fetch('http://flip.test/');",
  ),
  denied("is redirected to metadata", "await fetch(ctx.baseUrl + '/to?u=http://169.254.169.254/');"),
  denied("is redirected to another port of the host", "await fetch(ctx.baseUrl + '/to?u=http://127.0.0.1:22/');"),
  ends("is redirected in a circle", "await fetch(ctx.baseUrl + '/circle');", "script_error"),
  ends(
    "is redirected to a file",
    "await fetch(ctx.baseUrl + '/to?u=file:///etc/passwd');",
    "policy_denied",
    "script_error",
  ),
  ends("fetches a file URL", "await fetch('file:///etc/passwd');", "policy_denied", "script_error"),
  ends("fetches an ftp URL", "await fetch('ftp://127.0.0.1/');", "policy_denied", "script_error"),
  denied("posts from a widget", "await fetch(ctx.baseUrl + '/ok', { method: 'POST', body: 'x' });"),
  ends(
    "smuggles a header by line breaks",
    "await fetch(ctx.baseUrl + '/ok', { headers: { 'x-a': 'b\\r\\nx-evil: 1' } });",
    "script_error",
  ),
  ends(
    "smuggles a request by its method",
    "await fetch(ctx.baseUrl + '/ok', { method: 'GET / HTTP/1.1\\r\\nx: y' });",
    "script_error",
  ),
  echoes("sends a length of its own", "{ 'content-length': '5' }", "content-length"),
  echoes("sends chunked encoding", "{ 'transfer-encoding': 'chunked' }", "transfer-encoding"),
  echoes("asks for an upgrade", "{ connection: 'upgrade', upgrade: 'h2c' }", "upgrade"),
  ends(
    "names another host",
    "const r = await fetch(ctx.baseUrl + '/echo', { headers: { host: 'evil.test' } }); if ((await r.json()).host.includes('evil')) return 'smuggled';",
    "completed",
  ),
  ends(
    "carries a cookie to another origin",
    "const r = await fetch(ctx.baseUrl + '/other', { headers: { cookie: 'a=secret', 'x-plex-token': 'secret' } }); if ((await r.text()).includes('secret')) return 'leaked';",
    "completed",
  ),
];

function ends(name: string, body: string, ...ways: Attack["ends"][number][]): Attack {
  return { class: "outside", name, body, ends: ways, result: null };
}

function denied(name: string, body: string, ...also: Attack["ends"][number][]): Attack {
  return ends(name, body, "policy_denied", ...also);
}

/** The server tells which headers it got; the forbidden one is not among them. */
function echoes(name: string, headers: string, forbidden: string): Attack {
  const body = `const r = await fetch(ctx.baseUrl + '/echo', { headers: ${headers} }); if ('${forbidden}' in (await r.json())) return 'smuggled';`;
  return ends(name, body, "completed", "script_error");
}
