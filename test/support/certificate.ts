import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
  readonly pem: Buffer;
}

/**
 * A certificate for 127.0.0.1 that signs itself; needs `openssl`, so that no private key has to lie in the repository.
 */
export function newCertificate(folder: string, name = 'tls'): Certificate {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  try {
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  } catch (error) {
    throw new Error('the tests of TLS need the program openssl, which failed or is not installed', { cause: error });
  }
  return { cert, key, pem: readFileSync(cert) };
}
