import { randomBytes } from 'node:crypto';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/index.js';
import { StoredApiKeyVerifier } from '../../../application/index.js';
import { newKeyText } from '../../../domain/api-key.js';
import { replacing } from '../../support/service/spy.js';
import { Findings, type Report } from '../../support/soak-report.js';

const FORM = /^amk_[0-9A-Za-z]{30}[0-9A-Za-z]{6}$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A5: keys have the form, are never alike, and have enough entropy; one with a wrong character is refused without
 * asking the store.
 */
export async function keyFormat(generated: number, mutated: number): Promise<Report> {
  const findings = new Findings();
  const seen = new Set<string>();
  const frequencies = new Map<string, number>();
  for (let n = 0; n < generated; n += 1) {
    const key = newKeyText(randomBytes);
    findings.check(FORM.test(key), `${key.length} characters are not of the form`);
    seen.add(key);
    for (const character of key.slice(4, 34)) frequencies.set(character, (frequencies.get(character) ?? 0) + 1);
  }
  findings.set('generated', generated);
  findings.set('duplicates', generated - seen.size);
  findings.check(seen.size === generated, 'two keys are alike');
  findings.set('bits', 30 * entropyOf(frequencies, generated * 30));
  findings.check((findings.figures['bits'] ?? 0) >= 128, 'there is too little entropy');
  await mutate(Array.from(seen).slice(0, 1_000), mutated, findings);
  return findings;
}

/** Of one character, in bits. */
function entropyOf(frequencies: ReadonlyMap<string, number>, total: number): number {
  const shares = Array.from(frequencies.values(), (count) => count / total);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

async function mutate(keys: readonly string[], count: number, findings: Findings): Promise<void> {
  let lookups = 0;
  const watched = replacing(new InMemoryApiKeyRepository(), (_, run) => {
    lookups += 1;
    return run();
  });
  const verifier = new StoredApiKeyVerifier(watched);
  for (let n = 0; n < count; n += 1) {
    const key = keys[n % keys.length] ?? '';
    const place = 4 + Math.floor(Math.random() * 36);
    const others = BASE62.replace(key.charAt(place), '');
    const wrong = key.slice(0, place) + others.charAt(Math.floor(Math.random() * 61)) + key.slice(place + 1);
    findings.check((await verifier.verify(wrong)) === undefined, 'a key with a wrong character was taken');
  }
  findings.set('mutated', count);
  findings.set('look-ups', lookups);
  findings.check(lookups === 0, 'the store was asked for a key that cannot be one');
}
