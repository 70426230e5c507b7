import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ENTRIES, type PackageEntry } from './packages.js';
import { ROOT } from './readme.js';

const DIST = fileURLToPath(new URL('dist/', ROOT));
const OPTIONS: ts.CompilerOptions = { noLib: true, types: [], module: ts.ModuleKind.NodeNext, skipLibCheck: true };
const PRINTER = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const PRIVATE_MEMBER = /^\s+(?:#private|private [^\n]*);\n/gm;
/** Begins the declaration of a class whose type alone is exported. */
const TYPE_ONLY = 'export /* type only */ ';
const LISTED = /^(?:export )?(?:declare )?/;

/** Returns the file with the declarations of an entry. */
export function reportOf({ name }: PackageEntry): URL {
  return new URL(`docs/api/${name.replace('/', '.')}.d.ts.txt`, ROOT);
}

/**
 * Returns what each entry declares, by its name: all that it exports, and the types of ours that these lean on, without
 * comments and private members. What an earlier entry exports is only named.
 */
export function declarationsOfEntries(): ReadonlyMap<string, string> {
  const files = ENTRIES.map((entry) => resolve(DIST, entry.types));
  const program = ts.createProgram(files, OPTIONS, compilerHost());
  const checker = program.getTypeChecker();
  const exports = ENTRIES.map(({ name }, at) => {
    const file = program.getSourceFile(files[at] ?? '');
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${name} has no declarations`);
    const symbols = checker.getExportsOfModule(module);
    return [name, new Map(symbols.map((symbol) => [targetOf(symbol, checker), symbol]))] as const;
  });
  // What two entries export belongs to the first.
  const owners = new Map(
    exports.toReversed().flatMap(([name, symbols]) => Array.from(symbols.keys(), (one) => [one, name])),
  );
  return new Map(exports.map(([name, symbols]) => [name, declarationsOf(name, symbols, checker, owners)]));
}

function declarationsOf(
  entry: string,
  exported: ReadonlyMap<ts.Symbol, ts.Symbol>,
  checker: ts.TypeChecker,
  owners: ReadonlyMap<ts.Symbol, string>,
): string {
  const own = [...exported.keys()].filter((symbol) => owners.get(symbol) === entry);
  const again = Array.from(exported).filter(([symbol]) => owners.get(symbol) !== entry);
  const reached = new Set(own);
  const used = new Set<string>();
  for (const symbol of reached)
    for (const one of leansOn(symbol, checker)) {
      const owner = owners.get(one);
      if (owner === undefined) reached.add(one);
      else if (owner !== entry) used.add(`import { ${one.name} } from '${owner}';`);
    }
  const others = Array.from(reached).filter((symbol) => !exported.has(symbol));
  const blocks = [
    [...used].sort().join('\n'),
    ...again.map(([symbol, { name }]) => `export { ${name} } from '${owners.get(symbol)}';`).sort(),
    ...own.map((symbol) => textOf(symbol, isTypeOnly(exported.get(symbol), symbol) ? TYPE_ONLY : 'export ')).sort(),
    ...others.map((symbol) => textOf(symbol, '')).sort(),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Reads modules of ours alone: types of other packages appear by their names. */
function compilerHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const resolvedFileName = resolve(dirname(from), text.replace(/\.js$/, '.d.ts'));
      return { resolvedModule: text.startsWith('.') ? { resolvedFileName, extension: ts.Extension.Dts } : undefined };
    });
  return host;
}

function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isTypeOnly(exported: ts.Symbol | undefined, target: ts.Symbol): boolean {
  const specifiers = exported?.declarations?.filter((one) => ts.isExportSpecifier(one)) ?? [];
  return !!(target.flags & ts.SymbolFlags.Value) && specifiers.some((one) => one.parent.parent.isTypeOnly);
}

/** Returns the declarations of a module of ours by this name: a variable with its statement. */
function statementsOf(symbol: ts.Symbol): readonly ts.Node[] {
  const nodes = (symbol.declarations ?? []).map((one) => (ts.isVariableDeclaration(one) ? one.parent.parent : one));
  return nodes.filter((node) => ts.isSourceFile(node.parent));
}

function leansOn(symbol: ts.Symbol, checker: ts.TypeChecker): ReadonlySet<ts.Symbol> {
  const found = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const target = named && targetOf(named, checker);
    if (target !== undefined && statementsOf(target).length > 0) found.add(target);
    ts.forEachChild(node, visit);
  };
  for (const statement of statementsOf(symbol)) visit(statement);
  return found;
}

function textOf(symbol: ts.Symbol, prefix: string): string {
  const texts = statementsOf(symbol).map((node) =>
    PRINTER.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()),
  );
  return texts.map((text) => prefix + text.replace(LISTED, '').replace(PRIVATE_MEMBER, '')).join('\n');
}
