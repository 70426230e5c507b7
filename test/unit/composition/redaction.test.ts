import { expect } from 'chai';
import { captureLog } from '../../support/captured-log.js';

describe('Redaction in the log', () => {
  /** The one line that a log with these secrets writes. */
  function lineOf(secrets: readonly string[], fields: object, message: string): string {
    const captured = captureLog(secrets);
    captured.log.info(fields, message);
    return captured.lines.join('\n');
  }

  it('of a secret that is also the name of a field leaves the line what it was', () => {
    for (const secret of ['hostname', 'requestId', '""""""""', '{{{{{{{{', '00000000']) {
      const fields = { requestId: 'x', sent: `a ${secret} b` };
      const entry = JSON.parse(lineOf([secret], fields, 'told')) as Record<string, unknown>;
      expect(entry)
        .to.include.keys('level', 'time', 'hostname', 'requestId', 'sent', 'msg')
        .and.to.include({ level: 30 });
      expect(entry['sent']).to.equal('a [redacted] b');
    }
  });

  it('hides a password below 8 characters in addresses alone, and leaves words that contain it', () => {
    for (const secret of ['a', 'market', 'seven77']) {
      const err = new Error(`cannot reach postgres://ada:${secret}@db/market`);
      const entry = JSON.parse(lineOf([secret], { err }, `a ${secret}place`)) as { msg: string; err: Error };
      expect([entry.msg, entry.err.message]).to.deep.equal([
        `a ${secret}place`,
        'cannot reach postgres://[redacted]@db/market',
      ]);
    }
  });

  it('hides API keys, which no configuration names, wherever they stand', () => {
    const key = `amk_${'a1B2'.repeat(9)}`;
    const line = lineOf([], { err: new Error(`no ${key}`), path: `/api?key=${key}` }, `sent ${key}`);
    expect(line.match(/amk_\[redacted\]/g)).to.have.length.above(2);
    expect(line).not.to.include(key);
  });

  it('knows credentials in an address of whatever kind', () => {
    const line = lineOf(
      [],
      { err: new Error('cannot reach mongodb+srv://ada:canary@db.example/market') },
      'at https://token-canary@x.example/',
    );
    expect(line)
      .to.include('mongodb+srv://[redacted]@db.example/market')
      .and.include('https://[redacted]@x.example/')
      .and.not.include('canary');
  });

  it('finds a secret that JSON writes in another way, in nested fields and in causes', () => {
    const secret = 'quo"te\\canary\nline\u2028';
    const err = new Error(`outer ${secret}`, { cause: new Error(`inner ${secret}`) });
    const line = lineOf([secret], { err, list: [{ deep: secret }] }, `said ${secret}`);
    expect(JSON.parse(line)).to.deep.include({ msg: 'said [redacted]', list: [{ deep: '[redacted]' }] });
    expect(line).to.include('outer [redacted]').and.to.include('inner [redacted]').and.not.to.include('canary');
  });
});
