import { UsageError } from './signature.js';

const DURATION = /^(\d{1,9})([smhd])$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** A length of time such as `90d`, in milliseconds. @throws UsageError that names the option. */
export function readDuration(option: string, text: string): number {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const seconds = SECONDS[unit];
  if (seconds === undefined) throw new UsageError(`${option} must be a number and s, m, h or d, such as 90d`);
  return Number(count) * seconds * 1000;
}
