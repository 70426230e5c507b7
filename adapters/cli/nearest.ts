/** The rest of a longer text is not compared. */
const MAX_LENGTH = 64;

/** Returns the candidate that was most likely meant, or undefined if none is close. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const isStart = (name: string) => typed.length > 2 && name.startsWith(typed);
  const found = candidates.map((name) => ({ name, distance: isStart(name) ? 0 : distance(typed, name) }));
  const [first] = found.sort((one, other) => one.distance - other.distance);
  return first !== undefined && first.distance <= Math.min(3, 1 + typed.length / 4) ? first.name : undefined;
}

/** Returns how many letters must be added, removed or replaced to turn one text into the other (Levenshtein). */
function distance(typed: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const letter of typed.slice(0, MAX_LENGTH)) {
    const next = [(row[0] ?? 0) + 1];
    for (const [index, expected] of Array.from(name).entries()) {
      const replaced = (row[index] ?? 0) + (letter === expected ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
