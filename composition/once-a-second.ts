/** In milliseconds. */
const BELIEVED = 1_000;

/** Asks once a second at most, however many want to know: they share the answer, also while it is awaited, and its failure. */
export function onceASecond<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: { readonly at: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    const now = performance.now();
    if (asked === undefined || now - asked.at >= BELIEVED) asked = { at: now, answer: ask() };
    return asked.answer;
  };
}
