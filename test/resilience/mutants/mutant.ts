/** A small change to the text of a built adapter that breaks one promise of its port. */
export interface Mutant {
  readonly name: string;
  /** How the promise begins, as the title of its suite says it. */
  readonly promise: string;
  /** Which of `SUBJECTS` shows it. */
  readonly subject: string;
  /** From the folder of the build. */
  readonly file: string;
  /** Stands in the file once; how it is broken into lines does not matter. */
  readonly text: string;
  readonly instead: string;
}

/** Of each promise: what is changed, into what, and what that does. */
export type Changes = Readonly<Record<string, readonly (readonly [name: string, text: string, instead: string])[]>>;

export function mutantsOf(subject: string, file: string, changes: Changes): readonly Mutant[] {
  return Object.entries(changes).flatMap(([promise, all]) =>
    all.map(([name, text, instead]) => ({ name, promise, subject, file, text, instead })),
  );
}

/** The text with the change made. @throws Error unless it can be made in exactly one place. */
export function changed(program: string, { name, file, text, instead }: Mutant): string {
  const pattern = new RegExp(
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/[^\w\s]/g, '\\$&'))
      .join('\\s+'),
    'g',
  );
  const places = program.match(pattern)?.length ?? 0;
  if (places !== 1) throw new Error(`"${name}" changes a text that stands ${places} times in ${file}`);
  return program.replace(pattern, () => instead);
}
