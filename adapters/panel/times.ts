/** A time for people, and the same for programs. */
export interface Moment {
  readonly iso: string;
  /** Such as `21 Nov 2026, 18:27 UTC`. */
  readonly text: string;
}

const DATE_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function moment(at: Date): Moment {
  return { iso: at.toISOString(), text: `${DATE_AND_TIME.format(at)} UTC` };
}

/** Such as `5 minutes ago`, or `in 3 days`. */
export function fromNow(at: Date, now: Date): Moment {
  return { iso: at.toISOString(), text: words(at.getTime() - now.getTime()) };
}

function words(distance: number): string {
  const size = Math.abs(distance);
  if (size < MINUTE) return distance > 0 ? 'in less than a minute' : 'just now';
  if (size < HOUR) return AGO.format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY) return AGO.format(Math.trunc(distance / HOUR), 'hour');
  return AGO.format(Math.trunc(distance / DAY), 'day');
}
