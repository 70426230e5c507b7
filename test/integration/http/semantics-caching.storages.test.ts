import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { OPERATOR } from '../../../domain/access.js';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { ask, offer } from './hostile/ask.js';
import { slugOf, type Answer } from '../../../adapters/conformance/answer.js';
import { DRAFT } from './hostile/row.js';
import { numbers } from './hostile/shuffled.js';

/** Some of them change nothing, when they come twice. */
const REVISIONS = [
  { title: 'Another title' },
  { description: 'Another description' },
  { price: 7 },
  { price: 8 },
  { categoryId: 'ai-agents' },
  { categoryId: 'communication' },
];

/** What was seen of one service: which body had which tag. */
class Seen {
  readonly #tagOf = new Map<string, string>();
  readonly #bodyOf = new Map<string, string>();
  readonly #tagsAt = new Map<string, string[]>();

  /** Equal bodies have equal tags, and other bodies others. */
  note(path: string, { body, headers }: Answer): void {
    const tag = headers.get('etag') ?? '';
    expect(this.#tagOf.get(body) ?? tag, 'the tag of an equal body').to.equal(tag);
    expect(this.#bodyOf.get(tag) ?? body, 'the body of an equal tag').to.equal(body);
    this.#tagOf.set(body, tag);
    this.#bodyOf.set(tag, body);
    this.#tagsAt.set(path, [...(this.#tagsAt.get(path) ?? []), tag]);
  }

  bodyOf(tag: string): string | undefined {
    return this.#bodyOf.get(tag);
  }

  tagsAt(path: string): readonly string[] {
    return this.#tagsAt.get(path) ?? [];
  }
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Entity tags over ${storage}`, () => {
    let service: TestService;
    let key: string;

    beforeEach(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    afterEach(() => service.close());

    const seed = randomInt(2 ** 31);
    it(
      'answer 304 exactly while nothing has changed, in 300 interleavings of reads, ' +
        `creates, revisions and withdrawals (seed ${seed})`,
      async () => {
        const random = numbers(seed);
        const seen = new Seen();
        const paths = [
          '/api/automations',
          '/v1/automations?limit=2',
          '/api/automations?category=ai-agents&limit=3&page=2',
          '/api/categories',
        ];
        const ids: string[] = [];
        let unchanged = 0;
        let changed = 0;
        for (let step = 0; step < 300; step += 1) {
          const choice = random();
          const some = ids[Math.floor(random() * ids.length)];
          if (choice < 0.12 || some === undefined) {
            const created = await offer(service.url, key, { ...DRAFT, title: `Step ${step}` });
            ids.push((JSON.parse(created.body) as { id: string }).id);
          } else if (choice < 0.18) {
            await service.repositories.automations.withdraw(some as never, { by: 'developer', at: new Date() });
            ids.splice(ids.indexOf(some), 1);
            expect(
              slugOf(await ask(`${service.url}/api/automations/${some}`, { key, headers: { 'If-None-Match': '*' } })),
            ).to.equal('not-found');
          } else if (choice < 0.26) {
            const changes = REVISIONS[Math.floor(random() * REVISIONS.length)] ?? {};
            await service.marketplace.reviseAutomation(OPERATOR, some, changes);
          } else {
            const path = choice < 0.5 ? `/api/automations/${some}` : (paths[Math.floor(random() * paths.length)] ?? '');
            const known = seen.tagsAt(path);
            const tag = known[Math.floor(random() * known.length)];
            const now = await ask(`${service.url}${path}`, { key });
            seen.note(path, now);
            if (path === paths[0]) expect(JSON.parse(now.body), 'the list').to.include({ total: ids.length });
            if (tag === undefined) continue;
            const caching: Record<string, string> = random() < 0.5 ? { 'Cache-Control': 'no-cache' } : {};
            const again = await ask(`${service.url}${path}`, { key, headers: { 'If-None-Match': tag, ...caching } });
            const isSame = seen.bodyOf(tag) === now.body;
            expect(again.status, `${path} with ${tag}`).to.equal(isSame ? 304 : 200);
            expect(again.headers.get('etag')).to.equal(now.headers.get('etag'));
            if (isSame) unchanged += 1;
            else changed += 1;
          }
        }
        expect(unchanged, 'checked while unchanged').to.be.above(20);
        expect(changed, 'checked after a change').to.be.above(20);
      },
    );

    it('follow a revision: of the automation at once, and of lists that show the change', async () => {
      const created = JSON.parse((await offer(service.url, key, DRAFT)).body) as { id: string; updated_at: string };
      const paths = [`/api/automations/${created.id}`, '/api/automations', '/api/categories'];
      const tags = await Promise.all(
        paths.map(async (path) => (await ask(`${service.url}${path}`, { key })).headers.get('etag') ?? ''),
      );
      const statuses = () =>
        Promise.all(
          paths.map(async (path, index) => {
            const headers = { 'If-None-Match': tags[index] ?? '' };
            return (await ask(`${service.url}${path}`, { key, headers })).status;
          }),
        );
      expect(await statuses()).to.deep.equal([304, 304, 304]);
      await service.marketplace.reviseAutomation(OPERATOR, created.id, { description: 'Other words' });
      expect(await statuses(), 'after another description').to.deep.equal([200, 304, 304]);
      await service.marketplace.reviseAutomation(OPERATOR, created.id, { price: 3 });
      expect(await statuses(), 'after another price').to.deep.equal([200, 200, 304]);
      await service.marketplace.reviseAutomation(OPERATOR, created.id, { categoryId: 'communication' });
      expect(await statuses(), 'after another category').to.deep.equal([200, 200, 200]);
      const { body } = await ask(`${service.url}${paths[0] ?? ''}`, { key });
      const { updated_at, ...rest } = JSON.parse(body) as Record<string, unknown>;
      const { updated_at: before, ...unrevised } = created;
      expect(rest).to.deep.equal({ ...unrevised, description: 'Other words', price: 3, category_id: 'communication' });
      expect(Date.parse(String(updated_at))).to.be.above(Date.parse(before));
    });
  });
