/** A slice of a list, newest first. */
export interface StretchOf<Item> {
  readonly items: readonly Item[];
  /** The `before` of the next stretch; without it, this was the last. */
  readonly next?: string;
}

/** Which stretch of a list. */
export interface StretchRequest {
  /** 1 to 100; 25 by default. */
  readonly limit?: number | undefined;
  /** The `next` of the stretch before; without it, from the newest on. */
  readonly before?: string | undefined;
}

/** Of one item more than were asked for, by which it knows whether there is a next stretch. */
export function stretchOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): StretchOf<Item> {
  const last = items[limit - 1];
  return { items: items.slice(0, limit), ...(items.length > limit && last && { next: last.id }) };
}
