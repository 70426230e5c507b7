import { BimodalCache } from '../../domain/bimodal-cache.js';

/** Enough for the texts that come again and again. */
const MOST_ANSWERS = 1_000;

/** A function of a text that remembers its answers; what throws is not remembered. */
export function remembering<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new BimodalCache<Answer>(MOST_ANSWERS);
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    answers.keep(text, () => answer);
    return answer;
  };
}
