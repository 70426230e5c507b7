import { expect } from 'chai';
import { isIdentityText } from '../../../domain/identity.js';

describe('An issuer or a subject', () => {
  for (const text of ['ada', 'auth0|5f7c', 'Zoë 🙂', 'https://id.example', '$1', '__proto__', '🙂'.repeat(255)])
    it(`may be ${text.slice(0, 20)}`, () => {
      expect(isIdentityText(text)).to.equal(true);
    });

  const REFUSED: Readonly<Record<string, unknown>> = {
    empty: '',
    blank: ' ',
    'too long': 'x'.repeat(256),
    'too long, of pairs': '🙂'.repeat(256),
    'with a space at its end': 'ada ',
    'with a space before it': ' ada',
    'with a line feed at its end': 'ada\n',
    'of two lines': 'ada\nbob',
    'with a tab': 'a\tda',
    'with a NUL': 'ada\0',
    'with an escape': '\u001b[2J',
    'with a bidirectional control': 'ada\u202e',
    'with a noncharacter': 'ada\uffff',
    'with half a surrogate pair': 'ada\ud800',
    'without one visible character': '\u200d',
    'that is a number': 7,
    'that is a list': ['ada'],
    'that is missing': undefined,
  };
  for (const [what, text] of Object.entries(REFUSED))
    it(`is no text ${what}`, () => {
      expect(isIdentityText(text)).to.equal(false);
    });
});
