/** Ports this process serves on, with the number of servers on each. */
const listening = new Map<number, number>();

/** The ports of this process's own servers, which no script and no sign-in may reach. */
export function listListeningPorts(): readonly number[] {
  return [...listening.keys()];
}

/** Names a port that this process, or a proxy in front of it, serves on; the returned function takes it back. */
export function nameListeningPort(port: number): () => void {
  listening.set(port, (listening.get(port) ?? 0) + 1);
  let named = true;
  return () => {
    if (!named) return;
    named = false;
    const others = (listening.get(port) ?? 1) - 1;
    if (others === 0) listening.delete(port);
    else listening.set(port, others);
  };
}
