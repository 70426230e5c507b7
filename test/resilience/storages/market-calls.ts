/** A call as a worker prints it before it is sent. */
export type Call =
  | { readonly kind: 'add'; readonly added: readonly Added[] }
  | {
      readonly kind: 'revise' | 'withdraw';
      readonly automation: string;
      readonly category: string;
      readonly entry: string;
    }
  | { readonly kind: 'list'; readonly number: number; readonly limit: number; readonly category?: string };

export type ListCall = Extract<Call, { kind: 'list' }>;

export interface Added {
  readonly automation: string;
  readonly category: string;
  readonly entry: string;
}

/** The end of a call, as a worker prints it. A killed worker prints none. */
export interface CallEnd {
  readonly ended: number;
  readonly isDone: boolean;
  readonly items: readonly string[];
  readonly total: number;
  readonly failed: string;
}

/** A time span; a call that did not end goes on for ever. */
export interface Span {
  readonly began: number;
  readonly ended: number;
}

export interface Life {
  readonly seq: number;
  readonly added: Span;
  readonly categories: (Span & { readonly category: string })[];
  /** When a withdrawal began first, and when one ended first. */
  readonly withdrawn: { began: number; ended: number };
}
