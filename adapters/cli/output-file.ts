import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from './json-input.js';

/** A new file that is there whole or not at all: until it is finished it has another name beside its own. */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws Error that says why it cannot be written, as when there is a file already. */
  static async create(path: string): Promise<OutputFile> {
    refuseTaken(path);
    const part = `${path}.${randomUUID()}.part`;
    return new OutputFile(path, part, await open(part, 'wx').catch(unwritable(path)));
  }

  async write(text: string): Promise<void> {
    await this.file.appendFile(text).catch(unwritable(this.path));
  }

  /** Synced, under its own name, and that synced too. */
  async finish(): Promise<void> {
    await this.file.sync().catch(unwritable(this.path));
    await this.file.close();
    refuseTaken(this.path);
    await rename(this.part, this.path).catch(unwritable(this.path));
    const folder = await open(dirname(this.path));
    await folder.sync().finally(() => folder.close());
  }

  /** Leaves nothing of it, unless it is finished. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.part, { force: true });
  }
}

function refuseTaken(path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already; an export never writes over a file`);
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(`cannot write ${path}: ${REASONS[code] ?? messageOf(error)}`, { cause: error });
  };
}
