import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../session.js';

/**
 * A new file that appears only when it is complete, with mode 0600. Until then its content is in a `.part` file in the
 * same folder.
 */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
    private readonly removePart: () => void,
  ) {}

  /** @throws Error that says why the file cannot be written, for example because it exists already. */
  static async create(path: string): Promise<OutputFile> {
    assertAbsent(path);
    const part = `${path}.${randomUUID()}.part`;
    const removePart = () => rmSync(part, { force: true });
    process.once('exit', removePart);
    try {
      return new OutputFile(path, part, await open(part, 'wx', 0o600), removePart);
    } catch (error) {
      process.off('exit', removePart);
      return cannotWrite(path)(error);
    }
  }

  async write(text: string | Uint8Array): Promise<void> {
    await this.file.appendFile(text).catch(cannotWrite(this.path));
  }

  /** Syncs the content, gives the file its name and syncs the folder. */
  async finish(): Promise<void> {
    await this.file.sync().catch(cannotWrite(this.path));
    await this.file.close();
    await publish(this.part, this.path);
    const folder = await open(dirname(this.path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Removes the part; safe to repeat, and after `finish`. A process that exits earlier removes it, too. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.part, { force: true });
    process.off('exit', this.removePart);
  }
}

/** Never overwrites a file, except in a race on a file system without hard links. */
async function publish(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw exists(path);
    assertAbsent(path);
    await rename(part, path).catch(cannotWrite(path));
  }
}

function assertAbsent(path: string): void {
  if (existsSync(path)) throw exists(path);
}

function exists(path: string): Error {
  return new Error(`${path} already exists; choose another name`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'its folder is a file',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

function cannotWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`cannot write ${path}: ${REASONS[codeOf(error)] ?? messageOf(error)}`, { cause: error });
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
