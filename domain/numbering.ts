import { partitionPoint } from './partition-point.js';
import type { Page } from './page.js';

/**
 * How a store finds any page at the same cost. It gives each automation, when it is stored, the next number overall and
 * the next one in its category. A number is never given twice and a withdrawn one is never given again; so the
 * numbers are dense but for the withdrawn, which are few. The total is then a subtraction and a page a range of
 * numbers.
 */
export interface Numbering {
  /** The highest number given so far; 0 when there is none. */
  readonly highest: number;
  /** The numbers withdrawn, ascending. */
  readonly withdrawn: ArrayLike<number>;
}

/** A range of numbers, both ends included. */
export interface NumberRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Returns the number of automations on sale. */
export function totalOf(numbering: Numbering): number {
  return numbering.highest - numbering.withdrawn.length;
}

/** Returns the numbers between which a page lies, newest first; undefined when the page is past the end. */
export function rangeOf(page: Page, numbering: Numbering): NumberRange | undefined {
  const newest = totalOf(numbering) - (page.number - 1) * page.limit;
  if (newest < 1) return undefined;
  const oldest = Math.max(1, newest - page.limit + 1);
  return { lowest: numberAt(oldest, numbering.withdrawn), highest: numberAt(newest, numbering.withdrawn) };
}

/** Returns the numbers between which the first `limit` after a number lie, oldest first; undefined without any. */
export function rangeAfter(number: number, limit: number, numbering: Numbering): NumberRange | undefined {
  const before = onSaleUpTo(number, numbering);
  const newest = Math.min(before + limit, totalOf(numbering));
  if (newest === before) return undefined;
  return { lowest: numberAt(before + 1, numbering.withdrawn), highest: numberAt(newest, numbering.withdrawn) };
}

/** Returns the number of automations on sale in a range. */
export function sizeOf({ lowest, highest }: NumberRange, numbering: Numbering): number {
  return onSaleUpTo(highest, numbering) - onSaleUpTo(lowest - 1, numbering);
}

function onSaleUpTo(number: number, { withdrawn }: Numbering): number {
  return number - partitionPoint(withdrawn, (value) => value <= number);
}

/** The number of the automation that is the nth, from 1, of those on sale: n and every number withdrawn below it. */
function numberAt(nth: number, withdrawn: ArrayLike<number>): number {
  return nth + partitionPoint(withdrawn, (value, before) => value - before - 1 < nth);
}
