/** A phrase about a number of things, by the plural rules of its language. */
export type Counted = (count: number) => string;

/** Makes phrases for numbers: `#` stands for the number as the language writes it. */
export function countIn(
  language: string,
): (forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) => Counted {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (forms) => (count) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", number.format(count));
}
