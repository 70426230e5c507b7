import type { DrawFile } from '../../adapters/catalogue/index.js';
import { PLATFORMS } from '../../domain/file.js';
import type { FileInspector } from '../../domain/ports.js';

/** Inspects files. Its tables are loaded with the first file. */
export const fileInspector: FileInspector = {
  platforms: PLATFORMS,
  async inspect(name, bytes) {
    const { TableFileInspector } = await import('../../adapters/file-inspection/index.js');
    return new TableFileInspector().inspect(name, bytes);
  },
};

/** Draws files, by the same tables. */
export const drawFile: DrawFile = async (platform, content) => {
  const { drawFile: draw } = await import('../../adapters/file-inspection/index.js');
  return draw(platform, content);
};

/** Reads what a file says of itself, by the same tables. */
export async function describeFile(content: Uint8Array) {
  const { describeFile: describe } = await import('../../adapters/file-inspection/index.js');
  return describe(content);
}
