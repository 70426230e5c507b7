import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Logger } from 'pino';
import { MIN_TLS_VERSION } from '../../adapters/edge/server/server.js';
import { readTls, type TlsFiles } from '../config/files.js';

/**
 * What a service without a terminal does at SIGHUP: it reads the certificate again, for later connections. A bad one
 * leaves the old one in use, and without a certificate nothing changes.
 */
export class Hangups {
  #server: TlsServer | undefined;

  constructor(
    private readonly tls: TlsFiles | undefined,
    private readonly log: Logger,
  ) {
    process.on('SIGHUP', this.#reload);
  }

  /** Says which server has the certificate. Until then there is nothing to read again. */
  serve(server: Server): void {
    this.#server = server as TlsServer;
  }

  readonly #reload = (): void => {
    if (this.tls === undefined) {
      this.log.info('SIGHUP changes nothing: there is no TLS_CERT to read again; SIGTERM stops the service');
      return;
    }
    try {
      this.#server?.setSecureContext({ ...readTls(this.tls), minVersion: MIN_TLS_VERSION });
      this.log.info('certificate reloaded');
    } catch (error) {
      this.log.error({ err: error }, 'certificate not reloaded; the old one stays in use');
    }
  };
}
