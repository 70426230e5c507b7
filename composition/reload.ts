import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Logger } from 'pino';
import { OLDEST_VERSION } from '../adapters/http/tls-server.js';
import { readTls, type TlsFiles } from './tls.js';

/** At each SIGHUP the certificate is read again, for connections from then on; one that is not good leaves the old one in force. */
export function reloadOnHangup(server: Server, tls: TlsFiles | undefined, log: Logger): () => void {
  const reload = () => {
    if (tls === undefined) return;
    try {
      (server as TlsServer).setSecureContext({ ...readTls(tls), minVersion: OLDEST_VERSION });
      log.info('certificate read again');
    } catch (error) {
      log.error({ err: error }, 'certificate not read again; the old one stays');
    }
  };
  process.on('SIGHUP', reload);
  return () => process.off('SIGHUP', reload);
}
