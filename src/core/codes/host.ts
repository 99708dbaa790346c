import type { CodeText } from "./row.ts";

const SECTION = "docs/host-api.md";

/** Codes of the storage host and its API. */
export const HOST_CODES = {
  HOST_UNREACHABLE: { title: "The host does not answer", hint: "check the address and that the host is running" },
  HOST_ADDRESS_INVALID: {
    audience: "owner",
    title: "The host's address is not one a client can connect to",
    hint: "give an address such as wss://nas.local",
  },
  HOST_PLAINTEXT_REFUSED: {
    audience: "owner",
    title: "An API key would travel over an unencrypted connection",
    hint: "use a wss:// address (a real host revokes a key it sees in plain text); add --insecure for a stand-in of yours",
    see: `${SECTION}, section 2`,
  },
  HOST_TLS_UNTRUSTED: {
    audience: "owner",
    title: "The host's certificate is not trusted",
    hint: "give the host's CA (--ca), or the SHA-256 fingerprint of its certificate (--fingerprint)",
    see: `${SECTION}, section 2`,
  },
  HOST_TRUST_INVALID: {
    audience: "owner",
    title: "What was given to trust the host's certificate by can't be read",
    hint: "give a fingerprint as 64 hex digits (openssl x509 -fingerprint -sha256), or a CA as a PEM file",
    see: `${SECTION}, section 2`,
  },
  HOST_AUTH_FAILED: {
    audience: "owner",
    title: "The host refuses the user name or the API key",
    hint: "check the user name and create a new API key on the host if needed",
    see: `${SECTION}, section 2`,
  },
  HOST_KEY_EXPIRED: {
    audience: "owner",
    title: "The API key has expired or was revoked",
    hint: "create a new API key on the host and use it over wss:// only",
    see: `${SECTION}, section 2`,
  },
  HOST_ACCESS_DENIED: {
    title: "The host refuses connections from this address",
    hint: "add this machine's address to the host's list of allowed addresses",
    see: `${SECTION}, section 2`,
  },
  HOST_SESSION_ENDED: {
    title: "The host ends every new session at once",
    hint: "check the security level of the host's account: strict levels refuse API keys",
    see: `${SECTION}, section 2`,
  },
  HOST_VERSION_UNSUPPORTED: {
    title: "The host offers no version of its API that Slipway speaks",
    hint: "use release 25.04, 25.10, 26.0 or 27.0 of the host",
    see: `${SECTION}, section 12`,
  },
  HOST_CLOSED: { title: "The connection to the host was closed by this program", hint: "create a new host client" },
  HOST_ANSWER_LOST: {
    title: "The connection broke after a call was sent, so its answer is lost",
    hint: "ask the host what became of the call before repeating it",
    see: `${SECTION}, section 11`,
  },
  HOST_TIMEOUT: {
    title: "The host took too long to answer",
    hint: "try again when the host is less busy",
    see: `${SECTION}, section 11`,
  },
  HOST_BUSY: {
    title: "The host runs as many calls as it accepts",
    hint: "try again when the host is less busy",
    see: `${SECTION}, section 10`,
  },
  HOST_RATE_LIMITED: {
    title: "A rate limit has been reached",
    hint: "wait some minutes and try again",
    see: `${SECTION}, section 10`,
  },
  HOST_MESSAGE_TOO_LARGE: {
    audience: "owner",
    title: "A call is larger than the 65536 bytes the host accepts",
    hint: "shorten the answers or the app's values",
    see: `${SECTION}, section 2`,
  },
  HOST_PROTOCOL: {
    title: "The host's answer does not have the form its API promises",
    hint: "update the host or the engine where one is old; else report the host's release and the method named",
  },
  HOST_METHOD_UNKNOWN: {
    title: "The host does not know a method of its API",
    hint: "update the host to release 25.04 or later; on a newer one report the method named",
    see: `${SECTION}, section 10`,
  },
  HOST_CALL_FAILED: {
    title: "The host reports a failure",
    hint: "read the reason, and the host's own log for what came before it; then retry",
    see: `${SECTION}, section 10`,
  },
  HOST_PERMISSION: {
    title: "The account of the API key may not make the call",
    hint: "give the account of the API key the roles the call needs",
    see: `${SECTION}, section 2`,
  },
  HOST_INVALID: {
    audience: "owner",
    title: "The host refuses a value",
    hint: "correct the answers that the fields named are made of; where none is, the script's author has to",
    see: `${SECTION}, section 10`,
  },
  HOST_EXISTS: {
    title: "The object exists on the host already",
    hint: "look on the host what has the name; rename or remove it there, or choose another name",
    see: `${SECTION}, section 10`,
  },
  HOST_NOT_FOUND: {
    title: "The host does not have the object",
    hint: "check the name, and that nobody has removed it",
    see: `${SECTION}, section 10`,
  },
  HOST_NAME_TAKEN: {
    audience: "owner",
    title: "An app of this name is installed already",
    hint: "remove the app of this name from the host first",
    see: `${SECTION}, section 4`,
  },
  HOST_APPS_UNAVAILABLE: {
    title: "The host's apps service is not running",
    hint: "wait until the apps service has started, or choose a pool for it on the host",
    see: `${SECTION}, section 4`,
  },
  HOST_PORT_CONFLICT: {
    audience: "owner",
    title: "A port is in use on the host already",
    hint: "choose another port, or stop what uses it",
    see: `${SECTION}, section 6`,
  },
  HOST_UPGRADE_NONE: {
    audience: "owner",
    status: 409,
    exit: "failed",
    title: "No newer version of the app is available",
    hint: "wait for a newer version in the host's catalog",
    see: `${SECTION}, section 4`,
  },
  HOST_APP_STOPPED: {
    audience: "owner",
    title: "The app is stopped, and the host does this to running apps only",
    hint: "start the app first",
    see: `${SECTION}, section 4`,
  },
  HOST_DATASET_LOCKED: {
    audience: "owner",
    title: "The dataset is locked",
    hint: "unlock the dataset on the host",
    see: `${SECTION}, section 10`,
  },
  HOST_DATASET_BUSY: {
    audience: "owner",
    title: "Something uses the dataset, so that it can't be unmounted",
    hint: "close what has files open there, e.g. a share, a shell or another app, then retry",
    see: `${SECTION}, section 8`,
  },
  HOST_DATASET_ASIDE: {
    audience: "owner",
    title: "A rollback ended half way and left the app without its data, which is put aside",
    hint: "rename the dataset back on the host, by the names it says; or delete it, if the app is to go on without",
    see: 'docs/operating.md, "Going back"',
  },
  HOST_ACL_UNSUPPORTED: {
    title: "The host cannot set this ACL there",
    hint: "use ACL entries of the type the dataset has",
    see: `${SECTION}, section 7`,
  },
  HOST_JOB_ABORTED: {
    title: "The host's job was aborted",
    hint: "see on the host who aborted it, then try again",
    see: `${SECTION}, section 3`,
  },
  HOST_JOB_DROPPED: {
    title: "The host dropped the job because too many wait for the same lock",
    hint: "try again when the jobs before it have ended",
    see: `${SECTION}, section 3`,
  },
  HOST_OWNER_UNKNOWN: {
    title: "The owner of a directory does not exist on the host",
    hint: "create the account on the host",
    see: `${SECTION}, section 7`,
  },
  HOST_DIRECTORY_BLOCKED: {
    audience: "owner",
    title: "A directory cannot be created at its path",
    hint: "check the location, and remove what stands in the way",
    see: `${SECTION}, section 7`,
  },
  HOST_PATH_LINKED: {
    audience: "owner",
    title: "A directory of an app is, or lies behind, a symbolic link",
    hint: "put the directory back where the link stands, and see which app or person made the link",
    see: `${SECTION}, section 7`,
  },
  HOST_PATH_MISSING: {
    audience: "owner",
    title: "A value of the app names a path that is not on the host",
    hint: "create the folder on the host, choose another one, or have the script list it as a directory",
    see: `${SECTION}, section 6`,
  },
  HOST_PATH_REFUSED: {
    audience: "owner",
    title: "The host does not let anyone change this path",
    hint: "change what the reason names on the host (permissions, a read-only dataset), or choose another location",
    see: `${SECTION}, section 7`,
  },
  HOST_SPACE_LOW: {
    audience: "owner",
    title: "A location has little room left",
    hint: "delete what is not needed there, snapshots too, or give the location another folder",
  },
  HOST_REGISTRY_UNREACHABLE: {
    audience: "owner",
    title: "The host can't reach the registry that the images of apps come from",
    hint: "look at the host's connection to the internet, or wait until the registry lets it in again",
    see: `${SECTION}, section 4`,
  },
  HOST_INCOMPLETE: {
    title: "The host object is not a whole implementation of the port",
    hint: "implement the method that is named; a group of methods is there as a whole or not at all",
    see: "docs/own-host.md",
  },
  HOST_CAPABILITY_MISSING: {
    audience: "owner",
    title: "The app needs something this host can't do",
    hint: "choose another app, or a host that can do it",
    see: "docs/own-host.md",
  },
  HOST_STEP_OMITTED: {
    audience: "owner",
    title: "A step is left out: this host can't do it, or another app uses the directory",
    hint: "go on without it, or do it on the host by hand",
    see: "docs/own-host.md",
  },
  HOST_SHARES_OFF: {
    audience: "owner",
    title: "The host does not serve SMB shares, or not after a restart",
    hint: "go on, and the install starts the host's SMB service and has it start with the host",
    see: `${SECTION}, section 8`,
  },
  HOST_STANDIN_BUSY: {
    audience: "owner",
    title: "Another stand-in runs on this directory",
    hint: "join the one that runs (its address is in standin.json there), or choose another directory",
  },
  HOST_STANDIN_FAILED: {
    title: "The stand-in did not get ready",
    hint: "read standin.log in its directory",
  },
  HOST_STANDIN_STATE: {
    audience: "owner",
    title: "The directory holds no state a stand-in can read",
    hint: "choose an empty directory, or remove state.json to start anew",
  },
} as const satisfies Record<string, CodeText>;
