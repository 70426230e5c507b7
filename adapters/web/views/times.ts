/** A time, for people and for programs. */
export interface Moment {
  readonly iso: string;
  /** The text on the page. */
  readonly text: string;
  /** For example `21 Nov 2026, 18:27 UTC`. */
  readonly full: string;
  /** How the text tells the time; undefined for one to the minute. Scripts show a day where the reader is. */
  readonly as?: 'day' | 'distance';
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const DAYS = new Intl.DateTimeFormat('en-GB', DATE);
const DAYS_AND_MINUTES = new Intl.DateTimeFormat('en-GB', { ...DATE, hour: '2-digit', minute: '2-digit' });
const DISTANCES = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns a time to the minute. */
export function moment(at: Date): Moment {
  const full = `${DAYS_AND_MINUTES.format(at)} UTC`;
  return { iso: at.toISOString(), text: full, full };
}

/** Returns a date, for example `21 Nov 2026 UTC`. */
export function day(at: Date): Moment {
  return { ...moment(at), text: `${DAYS.format(at)} UTC`, as: 'day' };
}

/** Returns a distance, for example `5 minutes ago` or `in 3 days`. */
export function fromNow(at: Date, now: Date): Moment {
  return { ...moment(at), text: words(at.getTime() - now.getTime()), as: 'distance' };
}

function words(distance: number): string {
  const size = Math.abs(distance);
  if (size < MINUTE_MS) return distance > 0 ? 'in a moment' : 'just now';
  if (size < HOUR_MS) return DISTANCES.format(Math.trunc(distance / MINUTE_MS), 'minute');
  if (size < DAY_MS) return DISTANCES.format(Math.trunc(distance / HOUR_MS), 'hour');
  return DISTANCES.format(Math.round(distance / DAY_MS), 'day');
}
