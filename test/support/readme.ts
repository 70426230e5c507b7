import { readFileSync } from 'node:fs';

/** The folder of the package: two levels above the built file. */
export const ROOT = new URL('../../../', import.meta.url);

export interface Example {
  /** The heading under which it stands. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** Every fenced block of the README, or of another page, with its heading. */
export function readmeExamples(page = 'README.md'): readonly Example[] {
  const examples: Example[] = [];
  let heading = '';
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  for (const [, title, language, code] of text.matchAll(/^#+ ([^\n]+)$|^```(\w+)\n(.*?)^```$/gms)) {
    heading = title ?? heading;
    if (language !== undefined && code !== undefined) examples.push({ heading, language, code });
  }
  return examples;
}

/** The examples in JavaScript of docs/embedding.md, by heading: those under one heading are one program. */
export function readmePrograms(): ReadonlyMap<string, readonly string[]> {
  const programs = new Map<string, readonly string[]>();
  for (const { heading, language, code } of readmeExamples('docs/embedding.md'))
    if (language === 'js') programs.set(heading, [...(programs.get(heading) ?? []), code]);
  return programs;
}

/** What a program says that it prints, by a comment behind the line. */
export function promisedOutput(program: string): readonly string[] {
  return Array.from(program.matchAll(/\/\/ → (.+)$/gm), ([, text = '']) => text);
}

/** Returns a constant of docs/embedding.md. Its block runs with these values for its free names. */
export async function readmeConstant(
  heading: string,
  name: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const block = readmePrograms()
    .get(heading)
    ?.find((code) => code.includes(`const ${name} =`));
  const code = `export const run = ({ ${Object.keys(values).join(', ')} }) => {\n${block}\nreturn ${name}; };`;
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly run: (values: Readonly<Record<string, unknown>>) => unknown;
  };
  return module.run(values);
}
