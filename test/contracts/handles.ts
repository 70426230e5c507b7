/** Tries to write to what was handed out: it may be frozen or a copy, as long as the store does not change. */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('setTime' in value) (value as Date).setTime(0);
  else if ('clear' in value) (value as Map<unknown, unknown>).clear();
  else for (const [key, member] of Object.entries(value)) overwrite(value, key, member);
}

function overwrite(owner: object, key: string, member: unknown): void {
  tamper(member);
  Reflect.set(owner, key, typeof member === 'number' ? member + 1 : 'tampered');
}
