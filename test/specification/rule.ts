/** The rules of the specification, by section and row, each with the test that holds it. */

/** A test by its file and its whole title, or the last parts of it, joined by " > ". */
export interface HoldingTest {
  readonly file: string;
  readonly title: string;
}

/**
 * A row of the specification (a table's field, else its number; "text" for a sentence outside tables and lists), the rule
 * it states, and the test that holds it; null leaves the cell empty, which `npm run generate` refuses.
 */
export type Rule = readonly [row: string, rule: string, test: HoldingTest | null];

/** A section of the specification, named as there. */
export interface Section {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** Names tests of one file by their titles. */
export function testsOf(file: string): (title: string) => HoldingTest {
  return (title) => ({ file: `test/${file}.test.ts`, title });
}

/** Puts each further rule behind the last one of its row. */
export function addRules(rules: readonly Rule[], further: readonly Rule[]): readonly Rule[] {
  return further.reduce((list, rule) => {
    const at = list.findLastIndex(([row]) => row === rule[0]);
    if (at < 0) throw new Error(`no rule has the row "${rule[0]}"`);
    return list.toSpliced(at + 1, 0, rule);
  }, rules);
}

/** The rules in the order of the rows named, which are separated by blanks. */
export function orderRules(rules: readonly Rule[], rows: string): readonly Rule[] {
  return rows.split(" ").flatMap((row) => rules.filter(([name]) => name === row));
}

/** Puts every rule into one row. */
export function renameRows(rules: readonly Rule[], row: string): readonly Rule[] {
  return rules.map(([, rule, test]) => [row, rule, test]);
}
