import { expect } from 'chai';
import { importKey, requestKey } from '../../../domain/idempotency.js';
import { brokenBy } from './failure.js';

describe('the idempotency key of a request', () => {
  it('has exactly the visible ASCII characters except " and \\', async () => {
    for (let code = 0; code <= 0x1ff; code += 1) {
      const text = String.fromCharCode(code);
      const allowed = code > 0x20 && code < 0x7f && text !== '"' && text !== '\\';
      if (allowed) expect(requestKey(`a${text}`).value).to.equal(`request:a${text}`);
      else
        expect(await brokenBy(() => requestKey(`a${text}`)), `U+${code.toString(16)}`).to.deep.equal([
          'idempotencyKey: invalid-format',
        ]);
    }
  });

  it('has 1 to 255 characters', async () => {
    expect(await brokenBy(() => requestKey(undefined as unknown as string))).to.deep.equal([
      'idempotencyKey: invalid-format',
    ]);
    expect(requestKey('a').value).to.equal('request:a');
    expect(requestKey('a'.repeat(255)).value).to.equal(`request:${'a'.repeat(255)}`);
    for (const text of ['', 'a'.repeat(256), 'a\n']) expect(await brokenBy(() => requestKey(text))).to.have.length(1);
  });

  it('is kept for 24 hours', () => {
    expect(requestKey('a').lifetime).to.equal(86_400_000);
  });
});

describe('the idempotency key of an import', () => {
  it('is kept for ever', () => {
    expect(importKey('digest', 1)).to.deep.equal({ value: 'import:digest:1', lifetime: undefined });
  });

  it('is another for another copy, and never that of a request', () => {
    expect(importKey('digest', 2).value).not.to.equal(importKey('digest', 1).value);
    expect(requestKey('import:digest:1').value).not.to.equal(importKey('digest', 1).value);
  });
});
