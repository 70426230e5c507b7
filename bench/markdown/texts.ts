import { randomNumbers } from '../catalogue.js';

/** The longest description, in code points. */
const MAX_LENGTH = 10_000;

type Random = () => number;

const EMOJI = '\u{1F600}';

/** Constructs that cost the parser or the page more than their length. Each is repeated, alone or next to others. */
const PIECES: readonly ((pick: Pick) => string)[] = [
  (pick) => pick.of('[', '![', '[[', '](', '[](', '[a](', '![a](', '[a][', '[]', '[a]', '![a]'),
  (pick) => pick.of('<', '<a ', '</', '<!--', '<a@', '<http:'),
  (pick) => pick.of('*', '_', '**', '__', '*a ', '*a_', 'a*', '*a**b', '~~', '~~a', '***a', '_*_', '*_', '** *'),
  (pick) => pick.of('`', '``', '`a', '`` `', '```\n', '~~~\n', '`'.repeat(pick.count(40))),
  (pick) => pick.of('> ', '>', '- ', '+ ', '1. ', '>- ', '- > ', '>\n', '-\n', '- a\n', '1) a\n', '>a\nb\n'),
  (pick) => pick.of('\\', '\\\n', '  \n', '\n', '\n\n', '\t', ' ', '    a\n'),
  (pick) => pick.of('&', '&amp;', '&#0;', '"', "'", '<', 'a', EMOJI, 'é'),
  (pick) => pick.of('# ', '#', '=\n', '-\n', '---\n', '***\n', 'a\n=\n', 'a\n-\n', '# a\n', '###### a\n'),
  (pick) => `${pick.scheme()}${pick.part()}${pick.of('', ' ', '\n', '/', '.', '*')}`,
  (pick) => `<${pick.scheme()}${pick.part()}>`,
  (pick) => `[${pick.part()}](${pick.scheme()}${pick.part()}${pick.of('', ' "t"', ' (', " 't'")})`,
  (pick) => `![${pick.part()}](${pick.scheme()}${pick.part()})`,
  (pick) => `[![${pick.part()}](${pick.scheme()}a)](${pick.scheme()}b)`,
  (pick) => `${pick.of('a@b.cc', '<a@b.cc>', 'mailto:a@b.cc', 'www.a.cc')}${pick.of(' ', '', ',')}`,
  (pick) => `[${pick.label()}]: ${pick.scheme()}${pick.part()}${pick.of('', ' "t"', ' "t', '\n"t"')}\n`,
  (pick) => `[${pick.label()}]${pick.of(' ', '', '\n')}`,
  (pick) => `![${pick.label()}]${pick.of(' ', '', '\n')}`,
  (pick) => pick.of('|', '|a', 'x|', '|:-:', '|-', '| a | b |\n', '|-|-|\n', 'x\n', '\\|'),
];

interface Pick {
  of(...choices: readonly string[]): string;
  count(most: number): number;
  scheme(): string;
  part(): string;
  label(): string;
}

function picker(random: Random): Pick {
  const of = (...choices: readonly string[]) => choices[Math.floor(random() * choices.length)] ?? '';
  const count = (most: number) => 1 + Math.floor(random() * most);
  const long = () => of('a', EMOJI).repeat(count(60));
  return {
    of,
    count,
    scheme: () => of('http://', 'https://', 'ftp://', 'mailto:', 'x://', '//', '', 'http://a/', 'https://x.cc/'),
    part: () => (random() < 0.8 ? of('', 'a', 'b', '"', '&', EMOJI, 'é', '(', '*', '[', '`') : long()),
    label: () => of('a', 'b', 'c', 'ä', EMOJI, 'a'.repeat(count(20))),
  };
}

/** Wholes that are known to be bad: many cells are missing, one address is used often, many levels. */
const WHOLES: readonly ((pick: Pick) => string)[] = [
  (pick) => tables(1 + pick.count(12), pick.of('x', 'x|x', '|', 'a ')),
  (pick) => uses(pick.of('y', EMOJI, '&', '"', 'é'), pick.count(9_000), pick.of('[a]', '[a] ', '![a]', '[x][a]')),
  (pick) => titled(pick.of('y', EMOJI, '&', '&quot;'), pick.count(1_500), pick.of('[a]', '![a]', '[a] ')),
  (pick) => lazy(pick.of('>', '> ', '- ', '>- ', '1. '), pick.count(99), pick.of('b\n', '>b\n', '- b\n', '\n')),
  (pick) => nested(pick.of('![', '[', '[![', ''), pick.of('](http://a)', ']', '][a]'), pick.count(600)),
  (pick) => nested(pick.of('*', '**', '_', '~~'), pick.of('*', '**', '_', '~~'), pick.count(600)),
  (pick) => indented(pick.of('- a\n', '1. a\n', '> a\n', '- \n'), pick.count(120)),
];

/** Tables with one-letter rows: each row gets all missing cells. */
function tables(count: number, row: string): string {
  const columns = Math.floor(Math.sqrt(MAX_LENGTH / count / 3));
  const one = `${'x|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${`${row}\n`.repeat(columns * 2)}\n`;
  return one.repeat(count);
}

function uses(character: string, length: number, use: string): string {
  return `[a]: http://x/${character.repeat(length)}\n\n${use.repeat(MAX_LENGTH)}`;
}

function titled(character: string, length: number, use: string): string {
  return `[a]: http://x "${character.repeat(length)}"\n\n${use.repeat(MAX_LENGTH)}`;
}

function lazy(lead: string, depth: number, line: string): string {
  return `${lead.repeat(depth)}a\n${line.repeat(MAX_LENGTH)}`;
}

function nested(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}a${close.repeat(depth)} `.repeat(MAX_LENGTH / depth);
}

function indented(item: string, depth: number): string {
  return Array.from({ length: depth }, (_, level) => ' '.repeat(2 * level) + item)
    .join('')
    .repeat(MAX_LENGTH / depth);
}

/** Returns texts that are made to cost much: constructs of Markdown, repeated, mixed and put into one another. */
export function* hostileTexts(count: number, seed: number): Generator<string> {
  const random = randomNumbers(seed);
  const pick = picker(random);
  for (let made = 0; made < count; made += 1) {
    const text = random() < 0.25 ? any(WHOLES, random)(pick) : mixture(random, pick);
    yield cut(random() < 0.3 ? within(text, pick) : text);
  }
}

function mixture(random: Random, pick: Pick): string {
  const makers = Array.from({ length: pick.count(4) }, () => any(PIECES, random));
  if (random() < 0.3) return Array.from({ length: 3_000 }, () => any(makers, random)(pick)).join('');
  const parts = makers.map((make) => ({ piece: make(pick), times: random() < 0.3 ? 1 : pick.count(1_500) }));
  const whole = parts.map(({ piece, times }) => piece.repeat(times)).join(pick.of('', '\n', ' ', '\n\n'));
  return whole.repeat(Math.ceil(MAX_LENGTH / Math.max(1, whole.length)));
}

/** Puts each line, or the whole, into another construct. */
function within(text: string, pick: Pick): string {
  const [open, close] = [pick.of('', '[', '![', '*', '`', '[a]: '), pick.of('', '](http://a)', '*', '`', ']')];
  const lead = pick.of('', '> ', '- ', '>', '    ', '1. ', '# ', '|').repeat(pick.count(30));
  return open + text.replaceAll('\n', `\n${lead}`) + close;
}

function any<Value>(values: readonly Value[], random: Random): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** Cuts to the length that a description may have. */
function cut(text: string): string {
  return Array.from(text.slice(0, 2 * MAX_LENGTH))
    .slice(0, MAX_LENGTH)
    .join('')
    .trim();
}
