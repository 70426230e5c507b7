/** Keeps a value as the latest of a map that has so many at most: the one that was kept longest ago goes. */
export function remember<Name, Value>(values: Map<Name, Value>, name: Name, value: Value, most = 10_000): void {
  values.delete(name);
  for (const oldest of values.keys()) {
    if (values.size < most) break;
    values.delete(oldest);
  }
  values.set(name, value);
}
