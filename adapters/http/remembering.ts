import { remember } from '../../domain/remember.js';

/** Enough for the texts that come again and again. */
const MOST_ANSWERS = 1_000;

/** A function of a text that remembers its last answers; what throws is not remembered. */
export function remembering<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    remember(answers, text, answer, MOST_ANSWERS);
    return answer;
  };
}
