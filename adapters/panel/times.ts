/** A time for people, and the same for programs. */
export interface Moment {
  readonly iso: string;
  /** As it stands on the page. */
  readonly text: string;
  /** Such as `21 Nov 2026, 18:27 UTC`. */
  readonly full: string;
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const DAYS = new Intl.DateTimeFormat('en-GB', DATE);
const DAYS_AND_MINUTES = new Intl.DateTimeFormat('en-GB', { ...DATE, hour: '2-digit', minute: '2-digit' });
const DISTANCES = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** To the minute. */
export function moment(at: Date): Moment {
  const full = `${DAYS_AND_MINUTES.format(at)} UTC`;
  return { iso: at.toISOString(), text: full, full };
}

/** Such as `21 Nov 2026`. */
export function day(at: Date): Moment {
  return { ...moment(at), text: DAYS.format(at) };
}

/** Such as `5 minutes ago`, or `in 3 days`. */
export function fromNow(at: Date, now: Date): Moment {
  return { ...moment(at), text: words(at.getTime() - now.getTime()) };
}

function words(distance: number): string {
  const size = Math.abs(distance);
  if (size < MINUTE) return distance > 0 ? 'in a moment' : 'just now';
  if (size < HOUR) return DISTANCES.format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY) return DISTANCES.format(Math.trunc(distance / HOUR), 'hour');
  return DISTANCES.format(Math.round(distance / DAY), 'day');
}
