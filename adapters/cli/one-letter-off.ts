/** Tells whether one letter was left out, added or replaced, or two neighbours were swapped. */
export function isOneLetterOff(typed: string, name: string): boolean {
  let start = 0;
  while (start < name.length && typed[start] === name[start]) start += 1;
  const [a, b] = [typed.slice(start), name.slice(start)];
  const swapped = `${a[1] ?? ''}${a[0] ?? ''}${a.slice(2)}`;
  return a !== b && (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || swapped === b);
}
