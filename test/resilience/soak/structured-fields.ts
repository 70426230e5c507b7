/** A bare item (RFC 9651, section 3.3), as far as rate limits need them. */
export type BareItem = string | number;

export interface Item {
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
}

const STRING = /"((?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\])*)"/y;
const INTEGER = /-?[0-9]{1,15}(?![0-9.])/y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;

/** A list of strings and integers with parameters; strict. @throws Error where a text is none. */
export function parseList(text: string): readonly Item[] {
  const reader = new Reader(text);
  const items = [reader.item()];
  while (!reader.isAtEnd) {
    reader.take(/[ \t]*,[ \t]*/y);
    items.push(reader.item());
  }
  return items;
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.#at === this.text.length;
  }

  item(): Item {
    const value = this.#bare();
    const parameters = new Map<string, BareItem>();
    while (this.text[this.#at] === ';') {
      this.take(/; */y);
      const [key] = this.take(KEY);
      this.take(/=/y);
      parameters.set(key, this.#bare());
    }
    return { value, parameters };
  }

  take(form: RegExp): RegExpExecArray {
    form.lastIndex = this.#at;
    const found = form.exec(this.text);
    if (found === null) throw new Error(`${JSON.stringify(this.text)} is no structured field at ${this.#at}`);
    this.#at = form.lastIndex;
    return found;
  }

  #bare(): BareItem {
    if (this.text[this.#at] === '"') return (this.take(STRING)[1] ?? '').replace(/\\(.)/g, '$1');
    return Number(this.take(INTEGER)[0]);
  }
}
