import type { FileInspector } from '../../domain/ports.js';

/** Inspects files. Its tables are loaded with the first file. */
export const fileInspector: FileInspector = {
  platforms: ['n8n'],
  async inspect(name, bytes) {
    const { TableFileInspector } = await import('../../adapters/file-inspection/index.js');
    return new TableFileInspector().inspect(name, bytes);
  },
};
