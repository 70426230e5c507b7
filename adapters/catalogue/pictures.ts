import { LRUCache } from 'lru-cache';
import type { Automation } from '../../application/index.js';
import type { CatalogueCore, DrawFile } from './options.js';

/** In characters. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Draws the files of automations. Pictures are kept by the SHA-256 of their file. */
export class Pictures {
  readonly #pictures = new LRUCache<string, string>({ maxSize: MAX_SIZE, sizeCalculation: ({ length }) => length + 1 });

  /** Without `draw` there are none. */
  constructor(
    private readonly catalogue: CatalogueCore['catalogue'],
    private readonly draw: DrawFile | undefined,
  ) {}

  /** Returns the picture of an automation's file as SVG; undefined when there is none. */
  async of(automation: Automation): Promise<string | undefined> {
    const { sha256 = '', platform } = automation.file ?? {};
    if (this.draw === undefined || platform === undefined) return undefined;
    const known = this.#pictures.get(sha256);
    if (known !== undefined) return known || undefined;
    const content = await this.catalogue.readFile(automation);
    if (content === undefined) return undefined;
    const picture = await this.draw(platform, content);
    this.#pictures.set(sha256, picture ?? '');
    return picture;
  }
}
