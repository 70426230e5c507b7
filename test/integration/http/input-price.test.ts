import { expect } from 'chai';
import { startService } from '../../support/service.js';
import { withPrice } from './hostile/row.js';

describe('Prices in currencies of other decimals', () => {
  const fine: Readonly<Record<string, readonly string[]>> = {
    JPY: ['0', '1', '99999999', '1e3'],
    KWD: ['0.001', '9.999', '99999999.99'],
  };
  const refused: Readonly<Record<string, readonly string[]>> = {
    JPY: ['0.5', '1.01', '100000000'],
    KWD: ['0.0001', '9.9999', '100000000'],
  };

  for (const currency of ['JPY', 'KWD'])
    it(`follow ${currency}`, async () => {
      const service = await startService({ settings: { CURRENCY: currency } });
      try {
        const key = await service.key();
        const post = (literal: string) =>
          fetch(`${service.url}/api/automations`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            body: withPrice(literal),
          });
        for (const literal of fine[currency] ?? []) {
          const created = (await (await post(literal)).json()) as { price: number; currency: string };
          expect([created.price, created.currency], literal).to.deep.equal([Number(literal), currency]);
        }
        for (const literal of refused[currency] ?? []) expect((await post(literal)).status, literal).to.equal(422);
      } finally {
        await service.close();
      }
    });
});
