/** Enough for the texts that come again and again. */
const MOST_ANSWERS = 1_000;

/** A function of a text that remembers its last answers; what throws is not remembered. */
export function remembering<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
