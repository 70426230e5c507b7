/** A picture that stands for the marketplace. */
export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly body: Buffer;
}

/** How the pages are named. */
export interface Brand {
  readonly name: string;
  /** Default: the drawing that comes with the package. */
  readonly logo?: Logo | undefined;
}

export const DEFAULT_BRAND: Brand = { name: 'Automation Marketplace' };
