import type { Document, IndexDescription } from 'mongodb';
import { WORD_RULE_VERSION, wordsOf, type SearchTerms } from '../../domain/search-terms.js';
import type { Automation } from '../../domain/automation.js';

/** The rule by which this process cuts texts into words. A version of Unicode has letters that the one before lacks. */
export const WORD_RULE = `${WORD_RULE_VERSION}, Unicode ${process.versions['unicode'] ?? ''}`;

/** The words of an automation, as a document has them. */
export interface Words {
  rule: string;
  /** The distinct words of title and description. */
  all: string[];
  /** The distinct words of the title. */
  title: string[];
}

export const BY_WORD = 'words';
export const BY_RULE = 'word_rule';

/** The index that finds automations by words, and one that finds those without the words of this rule. */
export const WORD_INDEXES: readonly (IndexDescription & { readonly name: string })[] = [
  {
    name: BY_RULE,
    key: { 'words.rule': 1 },
    // A placeholder has no words.
    partialFilterExpression: { created_at: { $exists: true } },
  },
  { name: BY_WORD, key: { 'words.all': 1, on_sale: 1, seq: -1 } },
];

/** Finds automations without words, or with those of another rule. */
export const WITHOUT_WORDS = { created_at: { $exists: true }, 'words.rule': { $ne: WORD_RULE } };

/** Returns the words of an automation by the rule of this process. */
export function wordsIn({ title, description }: Pick<Automation, 'title' | 'description'>): Words {
  const ofTitle = wordsOf(title);
  return { rule: WORD_RULE, all: Array.from(new Set([...ofTitle, ...wordsOf(description)])), title: [...ofTitle] };
}

/** Returns the conditions for each term, in the title or in the whole. A word has no character with another meaning. */
export function conditionsOf({ words, prefix }: SearchTerms, place: 'all' | 'title'): readonly Document[] {
  return [...words, { $regex: `^${prefix}` }].map((term) => ({ [`words.${place}`]: term }));
}
