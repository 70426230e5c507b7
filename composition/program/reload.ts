import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Logger } from 'pino';
import { MIN_TLS_VERSION } from '../../adapters/http/server/server.js';
import { readTls, type TlsFiles } from '../config/files.js';

/**
 * Reads the certificate again at each SIGHUP, for later connections; a bad one leaves the old one in use. Returns a
 * function that ends this.
 */
export function reloadOnHangup(server: Server, tls: TlsFiles, log: Logger): () => void {
  const reload = () => {
    try {
      (server as TlsServer).setSecureContext({ ...readTls(tls), minVersion: MIN_TLS_VERSION });
      log.info('certificate reloaded');
    } catch (error) {
      log.error({ err: error }, 'certificate not reloaded; the old one stays in use');
    }
  };
  process.on('SIGHUP', reload);
  return () => process.off('SIGHUP', reload);
}
