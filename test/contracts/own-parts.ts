import type { Storage } from '../../domain/ports.js';
import { LeftOut } from './runner.js';
import type { StorageHandles } from './storage-handles.js';

/** Returns the handles. A test that touches a part which is not theirs is left out. */
export function ownParts([one, other]: StorageHandles, without: readonly (keyof Storage)[] = []): StorageHandles {
  const first = withOwnParts(one, without);
  return [first, one === other ? first : withOwnParts(other, without)];
}

function withOwnParts(storage: Storage, without: readonly (keyof Storage)[]): Storage {
  const unknown = without.find((name) => !(name in storage));
  if (unknown !== undefined) throw new TypeError(`the storage has no part ${unknown} that the suite could leave out`);
  return new Proxy(storage, {
    get(target, name) {
      const part = without.find((other) => other === name);
      if (part !== undefined) throw new LeftOut(`what needs \`${part}\`, which is not the storage's own`);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
