import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { checkFileSize } from '../../../domain/file.js';
import type { DescribeFile } from '../session.js';
import { whyUnreadable } from './input-file.js';
import { BadInput } from './json-input.js';
import type { Line, Lines } from './lines.js';

const EXTENSION = '.json';
/** What is read before it is stored; together it takes less time. */
const GROUP_BYTES = 1024 * 1024;

/** What all automations of a folder have. */
export interface FolderOptions {
  readonly category: string;
  readonly license?: string | undefined;
}

/** Returns whether a path is that of a folder; undefined when nothing can be read there. */
export async function isFolder(path: string): Promise<boolean | undefined> {
  if (path === '-') return false;
  const status = await stat(path).catch(() => undefined);
  return status?.isDirectory();
}

/**
 * The exports of an automation tool in a folder and its subfolders, one in each file, as the lines of an import. Names
 * that begin with a dot are left out, and links to folders are not followed, so that it ends.
 */
export class WorkflowFolder {
  private constructor(
    private readonly folder: string,
    private readonly files: readonly { readonly path: string; readonly size: number }[],
  ) {}

  /** @throws Error that says why a folder cannot be read, or that it has no such file. */
  static async open(folder: string): Promise<WorkflowFolder> {
    const paths = await pathsIn(folder).catch((error: unknown) => {
      throw new Error(`cannot read ${folder}: ${whyUnreadable(error)}`, { cause: error });
    });
    if (paths.length === 0) throw new Error(`the folder has no file that ends with ${EXTENSION}`);
    const sizeOf = async (path: string) => (await stat(join(folder, path)).catch(() => undefined))?.size ?? 0;
    const files = await Promise.all(paths.map(async (path) => ({ path, size: await sizeOf(path) })));
    return new WorkflowFolder(folder, files);
  }

  /** In bytes, of all files. */
  get size(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Yields the files in the order of their paths. Fails with the reason of the signal when it aborts. */
  async *lines(describe: DescribeFile, options: FolderOptions, interruption?: AbortSignal): Lines {
    let [end, read, lines]: [number, number, Line[]] = [0, 0, []];
    for (const [index, { path, size }] of this.files.entries()) {
      interruption?.throwIfAborted();
      [end, read] = [end + size, read + size];
      const content = await this.#contentOf(path, describe, options);
      lines.push({ noun: 'file', name: path, number: index + 1, end, ...content });
      if (read < GROUP_BYTES) continue;
      yield lines;
      [read, lines] = [0, []];
    }
    yield lines;
  }

  async #contentOf(
    path: string,
    describe: DescribeFile,
    { category, license }: FolderOptions,
  ): Promise<Pick<Line, 'bytes' | 'identity'>> {
    try {
      const bytes = await readWorkflow(join(this.folder, path));
      const described = await describe(bytes);
      if (described === undefined) throw new BadInput(whyUnknown(bytes));
      const { content: text, description, fileName: name = basename(path) } = described;
      const title = described.title ?? basename(path).slice(0, -EXTENSION.length);
      const draft = { title, description, price: 0, category_id: category, license, file: { name, text } };
      return { bytes: Buffer.from(JSON.stringify(draft)), identity: JSON.stringify([title, text]) };
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return { bytes: error };
    }
  }
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && entry.name.toLowerCase().endsWith(EXTENSION))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !path.split(sep).some((name) => name.startsWith('.')))
    .sort();
}

async function readWorkflow(path: string): Promise<Buffer> {
  try {
    const refuse = (_: unknown, detail: string): never => {
      throw new BadInput(detail);
    };
    checkFileSize((await stat(path)).size, refuse);
    return await readFile(path);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`cannot be read: ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Shows nothing of the content, which may have secrets. */
function whyUnknown(bytes: Buffer): string {
  try {
    JSON.parse(bytes.toString());
    return 'is no workflow of n8n';
  } catch {
    return 'is not valid JSON';
  }
}
