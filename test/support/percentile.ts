/** The smallest value that such a share of all are not above (nearest rank); 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
