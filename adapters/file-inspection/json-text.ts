/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** What becomes of a member of an object; of one that is emptied, the value becomes `{}`. */
export type Fate = 'keep' | 'drop' | 'empty';

export interface JsonFault {
  readonly code: 'inexact-number' | 'duplicate-key';
  readonly path: Path;
}

export interface EditedJson {
  readonly text: string;
  readonly faults: readonly JsonFault[];
}

export const MAX_LEVELS = 200;
/** Twice as many as the largest of some two thousand real workflows has. */
export const MAX_VALUES = 20_000;
/** A number with as many digits is read exactly, unless it is smaller than what has all digits of a double. */
const [EXACT_DIGITS, MIN_NORMAL] = [15, 2 ** -1022];
/** Of many faults, people repair the first ones. */
const MAX_FAULTS = 20;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns how deep brackets nest, and how many values there are; an empty list or object counts as two. Takes any text,
 * and uses no recursion.
 */
export function extentOf(text: string): { readonly levels: number; readonly values: number } {
  let [level, levels, values] = [0, 0, 1];
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i);
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) level -= 1;
    else if (char === COMMA) values += 1;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      [level, values] = [level + 1, values + 1];
      levels = Math.max(levels, level);
    }
  }
  return { levels, values };
}

/**
 * Cuts members out of a JSON text and leaves every other character as it is, so that order, numbers and escapes stay.
 * Reports what readers may understand differently, where it stays.
 * @param text valid JSON that is not too deep
 */
export function editJson(text: string, fateOf: (path: Path) => Fate): EditedJson {
  return new Editor(text, fateOf).edit();
}

class Editor {
  readonly #text: string;
  readonly #fateOf: (path: Path) => Fate;
  readonly #path: (string | number)[] = [];
  readonly #faults: JsonFault[] = [];
  readonly #pieces: string[] = [];
  #position = 0;
  /** Where the text begins that is in no piece yet. */
  #copied = 0;

  constructor(text: string, fateOf: (path: Path) => Fate) {
    this.#text = text;
    this.#fateOf = fateOf;
  }

  edit(): EditedJson {
    this.#skipSpace();
    this.#value(true);
    return { text: this.#pieces.join('') + this.#text.slice(this.#copied), faults: this.#faults };
  }

  #value(stays: boolean): void {
    const char = this.#char();
    if (char === OPEN_OBJECT) this.#object(stays);
    else if (char === OPEN_LIST) this.#array(stays);
    else if (char === QUOTE) this.#position = endOfString(this.#text, this.#position) + 1;
    else this.#literal(stays);
  }

  #array(stays: boolean): void {
    this.#position += 1;
    this.#skipSpace();
    for (let index = 0; this.#char() !== CLOSE_LIST; index += 1) {
      this.#path.push(index);
      this.#value(stays);
      this.#path.pop();
      this.#skipSpace();
      if (this.#char() === COMMA) this.#position += 1;
      this.#skipSpace();
    }
    this.#position += 1;
  }

  #object(stays: boolean): void {
    this.#position += 1;
    const names = new Set<string>();
    let isFirst = true;
    for (let start = this.#position; !this.#isAtEnd(); start = this.#position) {
      const name = this.#name();
      this.#path.push(name);
      const fate = stays ? this.#fateOf(this.#path) : 'keep';
      if (stays && fate !== 'drop' && names.size === names.add(name).size) this.#report('duplicate-key');
      const begin = this.#position;
      this.#value(stays && fate === 'keep');
      const end = this.#position;
      this.#path.pop();
      this.#skipSpace();
      const isLast = this.#char() !== COMMA;
      if (!isLast) this.#position += 1;
      if (fate === 'empty') this.#replace(begin, end, '{}');
      // With the comma in front of it, or behind it as long as none stays.
      if (fate !== 'drop') isFirst = false;
      else if (isFirst) this.#replace(start, this.#position, '');
      else this.#replace(start - 1, end, '');
    }
    this.#position += 1;
  }

  #isAtEnd(): boolean {
    this.#skipSpace();
    return this.#char() === CLOSE_OBJECT;
  }

  #name(): string {
    const end = endOfString(this.#text, this.#position);
    const raw = this.#text.slice(this.#position + 1, end);
    this.#position = end + 1;
    this.#skipSpace();
    this.#position += 1;
    this.#skipSpace();
    return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  #literal(stays: boolean): void {
    const start = this.#position;
    while (isOfLiteral(this.#char())) this.#position += 1;
    const literal = this.#text.slice(start, this.#position);
    const mayBeInexact = literal.length > EXACT_DIGITS || /\de/i.test(literal);
    if (stays && mayBeInexact && this.#faults.length < MAX_FAULTS && !isExact(literal)) this.#report('inexact-number');
  }

  #char(): number {
    return this.#text.charCodeAt(this.#position);
  }

  #skipSpace(): void {
    // Of what may stand in JSON outside of strings, only white space is that low.
    let position = this.#position;
    while (this.#text.charCodeAt(position) <= 0x20) position += 1;
    this.#position = position;
  }

  #replace(start: number, end: number, by: string): void {
    this.#pieces.push(this.#text.slice(this.#copied, start), by);
    this.#copied = end;
  }

  #report(code: JsonFault['code']): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ code, path: [...this.#path] });
  }
}

/** Returns where the closing quote is; the end of a text that has none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}

/** Digits, signs, points and letters. */
function isOfLiteral(char: number): boolean {
  return char > 0x2a && char !== COMMA && char !== CLOSE_LIST && char < OPEN_OBJECT;
}

/** Returns whether a number is the same after it was read. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  if (String(value) === literal) return true;
  const [mantissa = ''] = literal.split(/e/i, 1);
  if (value === 0) return !/[1-9]/.test(mantissa);
  if (!Number.isFinite(value)) return false;
  const isShort = mantissa.length <= EXACT_DIGITS && Math.abs(value) >= MIN_NORMAL;
  return isShort || decimalOf(literal) === decimalOf(String(value));
}

/** Returns a number in one way, exactly: its digits without zeros at the ends, and the power of ten behind them. */
function decimalOf(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
