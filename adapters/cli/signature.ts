/** One option of a command: with `value`, the word that stands for its value in the help, it takes one; without, it is a switch. */
interface Option {
  readonly value?: string;
  readonly required?: true;
  readonly summary: string;
}

export type Options = Readonly<Record<string, Option>>;

/** Names of arguments, such as `FILE`; one that may be left out is `[FILE]`. */
export type Arguments = readonly string[];

type Given<Wanted extends Option> = Wanted extends { readonly value: string }
  ? Wanted extends { readonly required: true }
    ? string
    : string | undefined
  : boolean;

/** What was typed behind a command's name, proven to be what the command takes. */
export interface Input<Names extends Arguments, Wanted extends Options> {
  readonly arguments: {
    readonly [Index in keyof Names]: Names[Index] extends `[${string}]` ? string | undefined : string;
  };
  readonly options: { readonly [Name in keyof Wanted]: Given<Wanted[Name]> };
}

/** What dispatch and help need to know of a command. */
export interface Signature<Names extends Arguments = Arguments, Wanted extends Options = Options> {
  /** One or two words, such as `keys issue`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: Names;
  readonly options: Wanted;
}

/** A mistake of the one who typed the command: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
