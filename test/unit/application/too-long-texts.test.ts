import { expect } from 'chai';
import { DeveloperProfiles } from '../../../application/developer-profiles.js';
import { parseKeyRequest } from '../../../application/key-request.js';
import { parseListRequest } from '../../../application/list-request.js';
import { Passwords } from '../../../application/passwords.js';
import { isIdentityText } from '../../../domain/identity.js';
import { newCategory } from '../../../domain/category.js';
import { checkSignInName } from '../../../domain/developer.js';
import { checkPassword } from '../../../domain/password.js';
import { ADA, USD } from '../../contracts/offers.js';
import { brokenBy, checking } from '../domain/failure.js';
import { signedIn } from '../../support/signed-in.js';

/** As many as fit into a form. To normalize them takes a third of a second. */
const MARKS = 'a' + '\u0301\u0323'.repeat(15_500);
/** Short enough, and yet not to be normalized. */
const RUN = 'a' + '\u0301\u0323'.repeat(16);

const NORMALIZE = Object.getOwnPropertyDescriptor(String.prototype, 'normalize') as PropertyDescriptor;
const profiles = new DeveloperProfiles({
  find: () => Promise.resolve(undefined),
  register: async () => true,
  setProfile: () => Promise.reject(new Error('such a profile was stored')),
});
const caller = { developerId: ADA, scopes: [] };

describe('A text from outside that is too long, or has a long run of combining marks', () => {
  let normalized: number[] = [];
  beforeEach(() => {
    normalized = [];
    Object.defineProperty(String.prototype, 'normalize', {
      ...NORMALIZE,
      value(this: string) {
        normalized.push(this.length);
        return this;
      },
    });
  });
  afterEach(() => {
    Object.defineProperty(String.prototype, 'normalize', NORMALIZE);
    expect(normalized, 'the lengths of what was normalized').to.deep.equal([]);
  });

  for (const [text, code] of [
    [MARKS, 'too-long'],
    [RUN, 'invalid-text'],
  ] as const) {
    it(`is not normalized as a public name: ${code}`, async () => {
      const broken = await brokenBy(() => profiles.change(signedIn(caller), { publicName: text }));
      expect(broken).to.deep.equal([`publicName: ${code}`]);
    });

    it(`is not normalized as words to search for: ${code}`, async () => {
      const request = { q: text };
      expect(await brokenBy(() => parseListRequest(request, { currency: USD, canSearch: true }))).to.deep.equal([
        `q: ${code}`,
      ]);
    });

    it(`is not normalized as the name of a category, of a key, or to sign in with: ${code}`, async () => {
      expect(await brokenBy(() => newCategory({ id: 'a', name: text }))).to.deep.equal([`name: ${code}`]);
      const key = { developer: ADA, name: text };
      expect(await brokenBy(() => parseKeyRequest(key, new Date()))).to.deep.equal([`name: ${code}`]);
      expect(checking((report) => checkSignInName(text, report)).broken.map((each) => each.code)).to.deep.equal([code]);
    });

    it(`is not normalized as the subject of an access token: ${code}`, () => {
      expect(isIdentityText(text)).to.equal(false);
    });
  }

  it('is not normalized as a password, nor hashed', async () => {
    expect(checking((report) => checkPassword(MARKS, [], report)).broken.map(({ code }) => code)).to.deep.equal([
      'too-long',
    ]);
    const busy = new Passwords({ cost: 4, atOnce: 0, waiting: 0 });
    expect(await busy.verify(MARKS, undefined)).to.equal(false);
  });
});
