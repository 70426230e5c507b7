import { expect } from 'chai';
import { Passwords } from '../../../application/passwords.js';
import { failureOf } from '../domain/failure.js';

const quick = new Passwords({ cost: 4 });

describe('hashing passwords', () => {
  it("is scrypt at OWASP's figures, as a PHC string with a salt of its own", async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('a password');
    expect(hash).to.match(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect([await passwords.verify('a password', hash), await passwords.verify('b password', hash)]).to.deep.equal([
      true,
      false,
    ]);
    expect(await quick.hash('a password')).not.to.equal(await quick.hash('a password'));
  });

  it('is that of RFC 7914, section 12', async () => {
    const [salt, key] = [
      'NaCl',
      '745731af4484f323969eda289eeee005b5903ac561e64a5aca121797f7734ef9fd58422e2e22745bd5a41da5c6e6ca38',
    ];
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const rfc = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    expect(await quick.verify('password', `$scrypt$ln=10,r=8,p=16$${text(Buffer.from(salt))}$${text(rfc)}`)).to.be.true;
    expect(
      await quick.verify(
        'password',
        `$scrypt$ln=10,r=8,p=16$${text(Buffer.from(salt))}$${text(Buffer.from(key.slice(0, 64), 'hex'))}`,
      ),
    ).to.be.false;
  });

  it('is as usual where an option is undefined', async () => {
    expect(await new Passwords({ cost: undefined, atOnce: undefined, waiting: undefined }).hash('a password')).to.match(
      /^\$scrypt\$ln=14,/,
    );
  });

  it('verifies what was hashed at another cost', async () => {
    const hash = await new Passwords({ cost: 5 }).hash('a password');
    expect(await quick.verify('a password', hash)).to.be.true;
  });

  it('says no where there is no hash', async () => {
    expect(await quick.verify('a password', undefined)).to.be.false;
  });

  it('does not block the event loop', async () => {
    const order: string[] = [];
    const hashed = new Passwords().hash('a password').then(() => order.push('hash'));
    await new Promise((resolve) => setImmediate(resolve)).then(() => order.push('other work'));
    await hashed;
    expect(order).to.deep.equal(['other work', 'hash']);
  });

  it('for sign-ins makes two at once and has 32 wait, unless told otherwise', async () => {
    const doneOf = async (passwords: Passwords) => {
      const settled = await Promise.allSettled(
        Array.from({ length: 40 }, () => passwords.verifySignIn('a password', undefined)),
      );
      return settled.filter(({ status }) => status === 'fulfilled').length;
    };
    expect([await doneOf(new Passwords({ cost: 4, waiting: 0 })), await doneOf(quick)]).to.deep.equal([2, 2 + 32]);
  });

  it('refuses more than may wait, and goes on afterwards', async () => {
    const passwords = new Passwords({ cost: 10, atOnce: 2, waiting: 3 });
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => passwords.verifySignIn('a password', undefined)),
    );
    expect(settled.map(({ status }) => status)).to.deep.equal([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(await passwords.hash('a password')).to.include('$scrypt$ln=10');
    const busy = new Passwords({ cost: 10, atOnce: 1, waiting: 0 });
    const first = busy.verifySignIn('a password', undefined);
    expect(await failureOf(() => busy.verifySignIn('a password', undefined))).to.include({
      kind: 'unavailable',
      code: 'too-many-sign-ins',
    });
    await first;
  });

  it('for people who are signed in or have a welcome link does not wait for sign-ins', async () => {
    const passwords = new Passwords({ cost: 10, atOnce: 1 });
    const order: string[] = [];
    const hash = await passwords.hash('a password');
    const signIns = Array.from({ length: 20 }, (_, n) =>
      passwords.verifySignIn('wrong', hash, { client: `network ${n}` }).then(() => order.push('sign-in')),
    );
    const others = [
      passwords.hash('a password', 'ada').then(() => order.push('hash')),
      passwords.verify('a password', hash, 'bob').then(() => order.push('verify')),
    ];
    await Promise.all([...signIns, ...others]);
    expect(order.indexOf('hash')).to.be.below(10);
    expect(order.indexOf('verify')).to.be.below(10);
  });

  it('for sign-ins takes those with fewer failures first', async () => {
    const order: number[] = [];
    const ranks = [0, 9, 4, 1, 2];
    const passwords = new Passwords({ cost: 8, atOnce: 1 });
    await Promise.all(
      ranks.map((rank) => passwords.verifySignIn('wrong', undefined, { rank }).then(() => order.push(rank))),
    );
    expect(order).to.deep.equal([0, 1, 2, 4, 9]);
  });
});
