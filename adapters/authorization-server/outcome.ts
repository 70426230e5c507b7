/** What operators are told of a request, in its line of the log. */
export interface Outcome {
  /** The client that sent it, if it is known. */
  readonly clientId?: string | undefined;
  /** Why it was refused. */
  readonly reason?: string | undefined;
}
