/** A part of a list, newest first: what comes after a known item. */
export interface CursorQuery<Id> {
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, the part begins with the newest. */
  readonly before?: Id | undefined;
}
