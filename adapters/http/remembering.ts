import { LRUCache } from 'lru-cache';

/** Enough for the texts that come again and again. */
const MAX_ANSWERS = 1_000;

/** Returns a function of a text that remembers its latest answers; what throws is not remembered. */
export function remembering<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new LRUCache<string, { readonly answer: Answer }>({ max: MAX_ANSWERS });
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known.answer;
    const answer = work(text);
    answers.set(text, { answer });
    return answer;
  };
}
