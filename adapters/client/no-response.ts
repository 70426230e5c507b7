/**
 * No complete response came: no connection, a connection that broke, or none in time. The message names the address.
 */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';

  /** Takes the message, whether the same request may succeed later, and the error of `fetch`. */
  constructor(
    message: string,
    readonly mayPass: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
