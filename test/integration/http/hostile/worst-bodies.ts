const FULL = 64 * 1024 - 200;

export function draft(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ title: 'a', description: 'b', price: 1, category_id: 'ai-agents', ...changes });
}

function members(count: number, member: (i: number) => string): string {
  return `{${Array.from({ length: count }, (_, i) => member(i)).join()}}`;
}

/** Nearly 64 KiB each, made to take long in parsers, validators and patterns. */
export const WORST_BODIES: Readonly<Record<string, string>> = {
  '6,500 members': members(6_500, (i) => `"m${i + 1000}":0`),
  '6,000 members like integers': members(6_000, (i) => `"${(i + 2000) * 7}":0`),
  '9,900 members like each other': members(9_900, () => '"a":0').padEnd(60_000),
  'twenty members of 3,000 characters': members(20, (i) => `"${String(i).padStart(3_000, '~/')}":0`).padEnd(61_000),
  'arrays in arrays': `{"title":${'['.repeat(32_000)}${']'.repeat(32_000)}}`,
  'objects in objects': draft({ description: 0 }).replace(':0', `:${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}`),
  'a number of 65,000 digits': draft({ price: 0 }).replace(':0', `:${'9'.repeat(65_000)}`),
  'a fraction of 65,000 digits': draft({ price: 0 }).replace(':0', `:0.${'1'.repeat(65_000)}`),
  'a title of white space': draft({ title: `a${' '.repeat(FULL)}b` }),
  'a title of letters': draft({ title: 'a'.repeat(FULL) }),
  'a title of letters and a control': draft({ title: `${'a'.repeat(FULL - 10)}\u0001` }),
  'a title of invisible characters': draft({ title: '\u200b'.repeat(FULL / 3) }),
  'a title of combining marks': draft({ title: '\u0301'.repeat(FULL / 2) }),
  'a title of surrogates': draft({ title: '' }).replace('""', `"${'\\ud83d'.repeat(FULL / 6)}"`),
  'a description of line feeds': draft({ description: `a${'\\n'.repeat(FULL / 4)}b` }).padEnd(60_500),
  'a description of emoji and a noncharacter': draft({ description: `${'😀'.repeat(FULL / 4 - 10)}\uffff` }),
  'a category of hyphens': draft({ category_id: `a${'-'.repeat(FULL)}` }),
  'a category of words': draft({ category_id: `${'a-'.repeat(FULL / 2 - 2)}!` }),
  'a category of letters and one capital': draft({ category_id: `${'a'.repeat(FULL)}A` }),
  'four broken texts': draft({
    title: '\u200b'.repeat(7_000),
    description: '\u200b'.repeat(7_000),
    price: 'x'.repeat(10_000),
    category_id: 'a-'.repeat(5_000),
  }),
};
