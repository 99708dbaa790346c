/** Names of the code as the inside of an SQL list: `'COMPLETED', 'SKIPPED'`. Throws on what is not a plain name. */
export function listInSql(names: readonly string[]): string {
  return names
    .map((name) => {
      if (!/^[A-Z_]+$/.test(name)) throw new Error(`"${name}" is not a name that can stand in SQL`);
      return `'${name}'`;
    })
    .join(", ");
}
