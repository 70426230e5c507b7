import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from './json-input.js';

/** A new file that is there whole or not at all: until it is finished it has another name beside its own. */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
    private readonly drop: () => void,
  ) {}

  /** @throws Error that says why it cannot be written, as when there is a file already. */
  static async create(path: string): Promise<OutputFile> {
    refuseTaken(path);
    const part = `${path}.${randomUUID()}.part`;
    const drop = () => rmSync(part, { force: true });
    process.once('exit', drop);
    try {
      return new OutputFile(path, part, await open(part, 'wx'), drop);
    } catch (error) {
      process.off('exit', drop);
      return unwritable(path)(error);
    }
  }

  async write(text: string): Promise<void> {
    await this.file.appendFile(text).catch(unwritable(this.path));
  }

  /** Synced, under its own name, and that synced too. */
  async finish(): Promise<void> {
    await this.file.sync().catch(unwritable(this.path));
    await this.file.close();
    await name(this.part, this.path);
    const folder = await open(dirname(this.path));
    await folder.sync().finally(() => folder.close());
  }

  /** Leaves no part of it; again is no error. A process that exits before does so too. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.part, { force: true });
    process.off('exit', this.drop);
  }
}

/** Where the file system has no links, what comes to be there at the very moment is written over. */
async function name(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(path);
    refuseTaken(path);
    await rename(part, path).catch(unwritable(path));
  }
}

function refuseTaken(path: string): void {
  if (existsSync(path)) throw taken(path);
}

function taken(path: string): Error {
  return new Error(`${path} is there already; an export never writes over a file`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'what should be its folder is a file',
  EACCES: 'permission denied',
  EROFS: 'the file system cannot be written to',
  ENOSPC: 'the disk is full',
};

function unwritable(path: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`cannot write ${path}: ${REASONS[codeOf(error)] ?? messageOf(error)}`, { cause: error });
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
