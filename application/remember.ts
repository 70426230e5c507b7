const MOST_REMEMBERED = 10_000;

/** Notes a value as the latest, and forgets the oldest of more than 10,000. */
export function remember<Name, Value>(values: Map<Name, Value>, name: Name, value: Value): void {
  values.delete(name);
  for (const oldest of values.keys()) {
    if (values.size < MOST_REMEMBERED) break;
    values.delete(oldest);
  }
  values.set(name, value);
}
