import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { newKeyIn, Visitor } from '../../support/panel-visitor.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

describe('A key from the panel', () => {
  let folder: string;
  let service: PanelService;
  let ada: Visitor;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marketplace-panel-keys-'));
    service = await startPanel({ STORAGE: 'sqlite', DATA_DIR: folder });
    ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  it('is kept as its SHA-256 alone, in every byte of the store', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 20; n += 1) keys.push(await ada.createKey(`Key ${n}`));
    const kept = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name)).toString('latin1'))
      .join('');
    for (const key of keys) {
      expect(kept.includes(key.slice(4, 34)), 'the random part of a key').to.equal(false);
      expect(kept.includes(createHash('sha256').update(key).digest('hex')), 'its hash').to.equal(true);
    }
  });

  it('fails no request while rotated with overlap, and is refused once revoked', async () => {
    const old = await ada.createKey('Key');
    const statuses: number[] = [];
    const rotation = new AbortController();
    const load = (async () => {
      while (!rotation.signal.aborted) statuses.push(await statusWith(old));
    })();
    const texts = [old];
    for (let n = 0; n < 10; n += 1)
      texts.push(newKeyIn((await ada.submit(`/panel/keys/${await newest()}/rotate`, { overlap: '24' })).body));
    rotation.abort();
    await load;
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    for (const text of texts) expect(await statusWith(text)).to.equal(200);
    await ada.submit(`/panel/keys/${await newest()}/revoke`, {});
    expect(await statusWith(texts.at(-1) ?? '')).to.equal(401);
  });

  async function newest(): Promise<string> {
    return String((await issuedKeys(service.container.get(CORE).keys, signedIn(ADA))).at(-1)?.id);
  }

  async function statusWith(key: string): Promise<number> {
    const answer = await fetch(`${service.url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  }
});
