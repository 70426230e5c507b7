import { expect } from 'chai';
import { createServer } from 'node:http';
import { createCatalogue, type CatalogueOptions } from '../../../adapters/catalogue/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCategory, newCore, type Automation, type Storage } from '../../../application/index.js';
import { at, automation, automationIdOf, GAMES, numbers, storeMany, TOOLS } from '../../contracts/offers.js';
import { wrapped } from '../../support/repositories.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const MEGABYTE = 1_000_000;
const TABLE = `${'x|'.repeat(181)}\n${'-|'.repeat(181)}\n${'x\n'.repeat(361)}\n`;
/** Descriptions of 10,000 characters at most, whose pages and feeds are the largest. */
const WORST = {
  'tables with missing cells': TABLE.repeat(6),
  'quotation marks': '"'.repeat(10_000),
  'an address that is used often': `[a]: http://x/${'😀'.repeat(900)}\n\n${'[a] '.repeat(8)}`,
};

/** A catalogue on a socket, over a store in memory whose reads are counted. */
class Stage {
  readonly reads: string[] = [];
  readonly storage = counted(inMemoryStorage(), (name) => this.reads.push(name));
  #server: Listening | undefined;

  async open(options: CatalogueOptions = {}): Promise<this> {
    await this.storage.categories.save([TOOLS, GAMES].map((id) => newCategory({ id, name: id })));
    const callback = createCatalogue(newCore(this.storage), { pageRateLimit: 'off', ...options }).callback();
    this.#server = await listening(createServer((request, response) => void callback(request, response)));
    return this;
  }

  offer(...fields: readonly (Partial<Automation> & { readonly n: number })[]) {
    return storeMany(
      this.storage.automations,
      fields.map(({ n, ...rest }) => ({ automation: automation(n, rest) })),
    );
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
    return send(this.#server?.url ?? '', { method: 'GET', path, headers });
  }

  count(name: string): number {
    return this.reads.splice(0).filter((read) => read === name).length;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

function counted(storage: Storage, note: (name: string) => void): Storage {
  return wrapped(storage, (port, portName) => {
    return new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          note(`${portName}.${String(member)}`);
          return Reflect.apply(value, target, args);
        };
      },
    });
  });
}

describe('A catalogue of the worst texts', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await new Stage().open();
  });
  afterEach(() => stage.close());

  for (const [name, description] of Object.entries(WORST))
    it(`has pages below 1 MB and a feed below 2 MB, of 50 entries with summaries, with ${name}`, async () => {
      await stage.offer(...numbers(50).map((n) => ({ n, title: '"'.repeat(200), description })));
      for (const path of ['/catalogue', '/catalogue/developers/ada', `/catalogue/${automationIdOf(1)}`]) {
        const { status, body } = await stage.get(path);
        expect([status, Buffer.byteLength(body) < MEGABYTE], path).to.deep.equal([200, true]);
      }
      const { body } = await stage.get('/catalogue/feed.atom');
      expect(Buffer.byteLength(body)).to.be.below(2 * MEGABYTE);
      expect(body.match(/<summary>/g)).to.have.length(50);
      const contents = body.match(/<content .*?<\/content>/gs) ?? [];
      expect(contents.length).to.be.above(5);
      expect(Buffer.byteLength(contents.join(''))).to.be.below(1.01 * MEGABYTE);
    });

  it('has a feed with the contents of all 50 entries when these are small', async () => {
    await stage.offer(...numbers(50).map((n) => ({ n, description: 'x'.repeat(5_000) })));
    expect((await stage.get('/catalogue/feed.atom')).body.match(/<content /g)).to.have.length(50);
  });
});

describe('An entity tag of the catalogue', () => {
  const stages: Stage[] = [];
  const opened = async (options?: CatalogueOptions) => {
    const stage = await new Stage().open(options);
    stages.push(stage);
    return stage;
  };
  afterEach(async () => {
    await Promise.all(stages.splice(0).map((stage) => stage.close()));
  });
  const one = `/catalogue/${automationIdOf(1)}`;
  const PATHS = ['/catalogue', one, '/catalogue/developers/ada', '/catalogue/feed.atom', '/sitemap.xml'];
  const tagsOf = (stage: Stage, headers?: Readonly<Record<string, string>>, paths: readonly string[] = PATHS) =>
    Promise.all(paths.map(async (path) => (await stage.get(path, headers)).headers.get('etag')));

  it('is the same in another process with the same store, and in the same one later', async () => {
    const url = { publicUrl: 'http://m.example' };
    const [first, second] = [await opened(url), await opened(url)];
    for (const stage of [first, second]) await stage.offer({ n: 1 }, { n: 2 });
    const tags = await tagsOf(first);
    expect(await tagsOf(second)).to.deep.equal(tags);
    expect(await tagsOf(first)).to.deep.equal(tags);
    expect(new Set(tags).size).to.equal(PATHS.length);
  });

  it('is another one for other texts of the same automation at the same time, as after a restore', async () => {
    const url = { publicUrl: 'http://m.example' };
    const [before, after] = [await opened(url), await opened(url)];
    await before.offer({ n: 1 });
    await after.offer({ n: 1, description: 'Other.' });
    const paths = PATHS.filter((path) => path !== '/sitemap.xml');
    const [old, restored] = [await tagsOf(before, {}, paths), await tagsOf(after, {}, paths)];
    for (const [index, path] of paths.entries()) expect(restored[index], path).not.to.equal(old[index]);
  });

  it('is another one where a name, a neighbour, the host or the brand is another', async () => {
    const stage = await opened();
    await stage.offer({ n: 1 }, { n: 2 });
    const seen = new Set<string | null>();
    const isNew = async (what: string, from = stage, headers: Readonly<Record<string, string>> = {}) => {
      const tag = (await from.get(one, headers)).headers.get('etag');
      expect(seen.has(tag), what).to.equal(false);
      seen.add(tag);
    };
    await isNew('the first');
    await isNew('format', stage, { 'Accept-Language': 'de-DE' });
    await isNew('host', stage, { Host: 'other.example' });
    await stage.storage.categories.save([newCategory({ id: TOOLS, name: 'Renamed' })]);
    await isNew('category');
    await stage.offer({ n: 3, title: 'A neighbour' });
    await isNew('neighbour');
    const revised = automation(1, { updatedAt: at(5), description: 'Revised.' });
    await stage.storage.automations.revise({ automation: revised, basedOn: at(0) });
    await isNew('revision');
    const branded = await opened({ brand: { name: 'Other' } });
    await branded.offer({ n: 1 }, { n: 2 });
    await isNew('brand', branded);
  });
});

describe('A sitemap', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await new Stage().open();
  });
  afterEach(() => stage.close());

  it('is read once for all who ask together, and not again until something changes', async () => {
    await stage.offer(...numbers(500).map((n) => ({ n })));
    stage.count('');
    const answers = await Promise.all(numbers(8).map(() => stage.get('/sitemap.xml')));
    expect(new Set(answers.map(({ body }) => body)).size).to.equal(1);
    expect(stage.count('archive.scan')).to.equal(3);
    const etag = answers[0]?.headers.get('etag') ?? '';
    expect((await stage.get('/sitemap.xml', { 'If-None-Match': etag })).status).to.equal(304);
    expect((await stage.get('/sitemap.xml', { Host: 'other.example' })).body).to.include('http://other.example/cat');
    expect((await stage.get('/sitemap-1.xml')).body.match(/<lastmod>/g)).to.have.length(500);
    expect(stage.count('archive.scan')).to.equal(0);
    await stage.storage.automations.withdraw(automationIdOf(7), { by: 'developer', at: at(9) });
    const { body } = await stage.get('/sitemap.xml', { 'If-None-Match': etag });
    expect(body.match(/<lastmod>/g)).to.have.length(499);
    expect(body).not.to.include(automationIdOf(7));
  });

  it('of a large store is not read again at once, whatever changes', async () => {
    await stage.offer(...numbers(6_000).map((n) => ({ n })));
    await stage.get('/sitemap.xml');
    stage.count('');
    for (const n of numbers(5)) {
      await stage.offer({ n: 6_000 + n });
      expect((await stage.get('/sitemap.xml')).body.match(/<lastmod>/g)).to.have.length(6_000);
    }
    expect(stage.count('archive.scan')).to.equal(0);
  });
});
