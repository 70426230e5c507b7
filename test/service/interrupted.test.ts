import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Workplace } from '../support/process.js';
import { stock } from './moving.js';

describe('A command that is interrupted', function () {
  this.timeout(120_000);
  let place: Workplace;
  before(async () => {
    place = await Workplace.open();
    await stock(place, 30_000);
  });
  after(() => place.clear());

  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const)
    for (const [words, codes] of [[['automations', 'export'], [code]], [['backup'], [code, 0]]] as const)
      it(`by ${signal} leaves no part of its file: ${words.join(' ')}`, async () => {
        const name = `${words.join('-')}-${signal}`;
        const files = () => readdirSync(place.folder).filter((file) => file.startsWith(name));
        const command = place.begin([...words, place.path(name)]);
        while (!files().some((file) => file.endsWith('.part'))) await setImmediate();
        command.kill(signal);
        const outcome = await command.ended;
        expect(outcome.code).to.be.oneOf([...codes]);
        expect(files()).to.deep.equal(outcome.code === 0 ? [name] : []);
      });
});
