import { expect } from 'chai';
import { OPERATOR } from '../../../domain/access.js';
import type { AuditEvent } from '../../../domain/audit.js';
import type { AutomationId } from '../../../domain/automation.js';
import { ACME, Program, TemporaryFolder } from './harness.js';

const NOON = Date.UTC(2026, 0, 1, 12);

/** A program whose clock goes on by a second with each entry. */
function ticking(): Program {
  let time = NOON;
  const program = new Program({ now: () => new Date((time += 1_000)) });
  // What is made with a clock asks it once.
  time = NOON;
  return program;
}

const signedIn = (developerId: string): AuditEvent => ({
  actor: 'developer',
  action: 'signed-in',
  developerId: developerId as never,
});

async function note({ audit }: Program, count: number, developerId: string): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => audit.record(signedIn(developerId))));
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly developer: string | null;
  readonly [member: string]: unknown;
}

async function entriesOf(program: Program, ...words: readonly string[]): Promise<readonly Entry[]> {
  const { code, stdout, stderr } = await program.run('audit', '--json', ...words);
  expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
  return JSON.parse(stdout.join('\n')) as Entry[];
}

describe('The command audit', () => {
  it('is an aligned table, newest first, also of what commands did', async () => {
    const program = ticking();
    await program.audit.record(signedIn('a-developer-with-a-long-name'), {
      address: '2001:db8::1',
      requestId: 'request-1',
    });
    await program.audit.record({ actor: 'anonymous', action: 'sign-in-failed' }, { address: '192.0.2.1' });
    const issued = await program.run('keys', 'issue', '--developer', 'ada');
    const key = issued.stderr.at(-1)?.split(' ').at(-1);
    const { code, stdout, stderr } = await program.run('audit');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout.map((line) => line.split(/ {2,}/).slice(1))).to.deep.equal([
      ['actor', 'action', 'developer', 'subject', 'address', 'request', 'details'],
      ['command', 'key-issued', 'ada', key, '-', '-', '-'],
      ['command', 'developer-added', 'ada', '-', '-', '-', '-'],
      ['anonymous', 'sign-in-failed', '-', '-', '192.0.2.1', '-', '-'],
      ['developer', 'signed-in', 'a-developer-with-a-long-name', '-', '2001:db8::1', 'request-1', '-'],
    ]);
    expect(stdout[4]).to.match(/^2026-01-01T12:00:01\.000Z /);
    const actors = stdout.map((line) => line.search(/command|anonymous|developer|actor/));
    expect(new Set(actors)).to.have.property('size', 1);
  });

  it('is a JSON array on demand, one line for each entry', async () => {
    const program = ticking();
    await program.audit.record(signedIn('ada'), { address: '192.0.2.1', requestId: 'one' });
    await program.audit.record({ actor: 'anonymous', action: 'sign-in-failed' });
    const { items } = await program.audit.list(OPERATOR);
    expect(await entriesOf(program)).to.deep.equal([
      {
        id: items[0]?.id,
        at: items[0]?.at.toISOString(),
        actor: 'anonymous',
        operator: null,
        credential_id: null,
        action: 'sign-in-failed',
        developer: null,
        subject: null,
        predecessor: null,
        address: null,
        request_id: null,
        reason: null,
        role: null,
        changed: null,
        counts: null,
        file: null,
      },
      {
        id: items[1]?.id,
        at: items[1]?.at.toISOString(),
        actor: 'developer',
        operator: null,
        credential_id: null,
        action: 'signed-in',
        developer: 'ada',
        subject: null,
        predecessor: null,
        address: '192.0.2.1',
        request_id: 'one',
        reason: null,
        role: null,
        changed: null,
        counts: null,
        file: null,
      },
    ]);
    expect((await program.run('audit', '--json')).stdout).to.have.length(4);
  });

  it('tells why automations were withdrawn', async () => {
    const program = ticking();
    const draft = { title: 'T', description: 'D', price: 1, categoryId: 'sales' };
    const [because, silent] = [
      await program.session.marketplace.createAutomation(ACME, draft),
      await program.session.marketplace.createAutomation(ACME, draft),
    ];
    await program.run('automations', 'withdraw', because.id, '--reason', 'a fraud');
    await program.run('automations', 'withdraw', silent.id);
    const told = async () => (await entriesOf(program)).map(({ action, subject, reason }) => [action, subject, reason]);
    expect(await told()).to.deep.equal([
      ['automation-withdrawn', silent.id, null],
      ['automation-withdrawn', because.id, 'a fraud'],
      ['automation-published', silent.id, null],
      ['automation-published', because.id, null],
    ]);
    const { stdout } = await program.run('audit');
    expect(stdout[0]).to.match(/ details$/);
    expect(stdout[1]).to.match(/ -$/);
    expect(stdout[2]).to.match(/ {2}a fraud$/);
  });

  it('goes on where a withdrawn automation is no longer in the store', async () => {
    const program = ticking();
    const subject = '01980c5e-7a3b-7c4d-9e21-5f60a1b2c3d4' as AutomationId;
    await program.audit.record({ actor: 'operator', action: 'automation-withdrawn', subject });
    expect((await entriesOf(program)).map((entry) => [entry['subject'], entry['reason']])).to.deep.equal([
      [subject, null],
    ]);
  });

  it('says which fields a revision changed', async () => {
    const program = ticking();
    const draft = { title: 'T', description: 'D', price: 1, categoryId: 'sales' };
    const { id } = await program.session.marketplace.createAutomation(ACME, draft);
    await program.run('automations', 'revise', id, '--price', '2', '--category', 'support');
    const [revised] = await entriesOf(program);
    expect(revised).to.include({ actor: 'operator', action: 'automation-revised', developer: 'acme', subject: id });
    expect(revised?.['changed']).to.deep.equal(['price', 'category_id']);
    expect((await program.run('audit')).stdout[1]).to.match(/ {2}changed price, category$/);
  });

  it('has two entries for an import: its beginning, and its end with counts', async () => {
    const program = ticking();
    const line = (price: number) => JSON.stringify({ title: 'T', description: 'D', price, category_id: 'sales' });
    const file = [line(1), line(2), line(-1)].join('\n');
    await program.pipe(line(2), 'automations', 'import', '-', '--developer', 'acme');
    await program.pipe(file, 'automations', 'import', '-', '--developer', 'acme');
    const entries = await entriesOf(program, '--developer', 'acme');
    expect(entries.map(({ actor, action, counts }) => [actor, action, counts])).to.deep.equal([
      ['operator', 'import-finished', { stored: 1, present: 1, failed: 1 }],
      ['operator', 'import-started', null],
      ['operator', 'import-finished', { stored: 1, present: 0, failed: 0 }],
      ['operator', 'import-started', null],
    ]);
    expect((await program.run('audit')).stdout[1]).to.match(/ {2}1 stored, 1 already there, 1 failed$/);
  });

  it('has the file name of an import, without its folder, and the counts of categories', async () => {
    const program = ticking();
    const folder = new TemporaryFolder();
    await folder.create();
    const draft = { title: 'T', description: 'D', price: 1, category_id: 'sales' };
    await program.run('automations', 'import', await folder.file(JSON.stringify(draft)), '--developer', 'acme');
    await program.run('categories', 'import', await folder.file(JSON.stringify([{ id: 'new', name: 'New' }])));
    await folder.remove();
    const shown = (await program.run('audit')).stdout.map((line) => line.split(/ {2,}/).at(-1));
    const imported = 'file file-1; 1 stored, 0 already there, 0 failed';
    expect(shown.slice(1)).to.deep.equal(['file file-2; 1 added, 0 renamed, 0 unchanged', imported, 'file file-1']);
  });

  it('names both keys of a rotation', async () => {
    const program = ticking();
    const { key } = await program.session.keys.issue(OPERATOR, { developer: 'ada' });
    const { key: successor } = await program.session.keys.rotate(OPERATOR, key.id);
    expect((await entriesOf(program))[0]).to.include({ subject: successor.id, predecessor: key.id });
    expect((await program.run('audit')).stdout[1])
      .to.include(`${successor.id} `)
      .and.match(new RegExp(` {2}replaces ${key.id}$`));
  });

  it('is headings alone, or an empty array, when nothing was done', async () => {
    expect((await new Program().run('audit')).stdout).to.have.length(1);
    expect((await new Program().run('audit', '--json')).stdout).to.deep.equal(['[]']);
    expect((await new Program().run('audit', '--json', '--developer', 'nobody')).stdout).to.deep.equal(['[]']);
  });

  for (const count of [99, 100, 101, 200, 250])
    it(`tells ${count} entries, each once and in order`, async () => {
      const program = ticking();
      await note(program, count, 'ada');
      const entries = await entriesOf(program);
      expect(new Set(entries.map(({ id }) => id))).to.have.property('size', count);
      expect(entries.map(({ at }) => Date.parse(at))).to.deep.equal(
        Array.from({ length: count }, (_, n) => NOON + (count - n) * 1_000),
      );
      const { stdout } = await program.run('audit');
      expect(stdout).to.have.length(count + 1);
      expect(stdout.filter((line) => line.startsWith('time'))).to.have.length(1);
    });

  it('is of one developer on demand', async () => {
    const program = ticking();
    const ids = ['ada', 'bob', 'ada-b', 'person-7k2m9x4q1a'];
    for (const id of ids) await note(program, 2, id);
    for (const id of ids)
      expect((await entriesOf(program, '--developer', id)).map(({ developer }) => developer)).to.deep.equal([id, id]);
    expect(await entriesOf(program)).to.have.length(8);
  });

  it('is of a time on, and of the newest, on demand', async () => {
    const program = ticking();
    await note(program, 250, 'ada');
    const counts = async (...words: readonly string[]) => (await entriesOf(program, ...words)).length;
    expect(await counts('--since', '2026-01-01T12:00:01Z')).to.equal(250);
    expect(await counts('--since', '2026-01-01T12:00:02Z')).to.equal(249);
    expect(await counts('--since', '2026-01-01T13:02:31.000+01:00')).to.equal(100);
    expect(await counts('--since', '2026-01-01T12:04Z')).to.equal(11);
    expect(await counts('--since', '2026-01-01')).to.equal(250);
    expect(await counts('--since', '2026-01-02')).to.equal(0);
    for (const limit of [1, 99, 100, 101, 250]) expect(await counts('--limit', String(limit))).to.equal(limit);
    expect(await counts('--limit', '1000000')).to.equal(250);
    const [newest, second] = await entriesOf(program, '--limit', '2', '--since', '2026-01-01T12:04Z');
    expect([newest?.at, second?.at]).to.deep.equal(['2026-01-01T12:04:10.000Z', '2026-01-01T12:04:09.000Z']);
    expect((await program.run('audit', '--limit', '3')).stdout).to.have.length(4);
  });

  it('takes a duration before now', async () => {
    const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1_000);
    const program = new Program({ now: () => twoDaysAgo });
    await note(program, 3, 'ada');
    expect(await entriesOf(program, '--since', '3d')).to.have.length(3);
    expect(await entriesOf(program, '--since', '24h')).to.have.length(0);
  });

  it('refuses a developer that cannot be', async () => {
    for (const name of ['Not A Slug', 'OAUTH:ada', '%']) {
      const { code, stdout, stderr } = await new Program().run('audit', '--developer', name);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: [] });
      expect(stderr[0]).to.match(/^(--developer|NAME) must be/);
    }
  });

  it('lets no control character of an issuer through', async () => {
    const program = ticking();
    await note(program, 1, 'oauth:\u001b[2Jx');
    expect((await program.run('audit')).stdout[1]).to.include('oauth:\\u001b[2Jx');
    expect((await entriesOf(program))[0]?.developer).to.equal('oauth:\u001b[2Jx');
  });
});
