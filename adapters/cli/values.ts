import { InvalidArgumentError } from '@commander-js/extra-typings';

const DURATION = /^(\d{1,9})([smhd])$/;
const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;
const MAX_COUNT = 1_000_000;

/** Returns the milliseconds of a duration such as `90d`. @throws InvalidArgumentError. */
export function parseDuration(text: string): number {
  const duration = durationOf(text);
  if (duration !== undefined) return duration;
  throw new InvalidArgumentError('It must be a number and s, m, h or d, such as 90d.');
}

/**
 * Returns a time that is given as such (RFC 3339, the seconds may be missing), as a date, which begins in UTC, or as a
 * duration before now. @throws InvalidArgumentError.
 */
export function parseTime(text: string): Date {
  const duration = durationOf(text);
  const time = duration === undefined ? timeOf(text) : new Date(Date.now() - duration);
  if (!Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('It must be a time such as 2026-11-25T08:30Z, a date, or a duration such as 24h.');
}

/** Takes no date that does not exist: of 30 February, `Date` makes 2 March. */
function timeOf(text: string): Date {
  const day = new Date(TIME.test(text) ? text.slice(0, 10) : NaN);
  const isDay = !Number.isNaN(day.getTime()) && text.startsWith(day.toISOString().slice(0, 10));
  return new Date(isDay ? text : NaN);
}

/** Returns a number of lines to print. @throws InvalidArgumentError. */
export function parseCount(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_COUNT) return count;
  throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_COUNT.toLocaleString('en')}.`);
}

function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const seconds = SECONDS_OF_UNIT[unit];
  return seconds === undefined ? undefined : Number(count) * seconds * 1000;
}
