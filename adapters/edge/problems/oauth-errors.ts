/** An error of an authorization server: its status at the token endpoint, what it means, and what to do about it. */
export interface OAuthError {
  readonly status: number;
  readonly explanation: string;
  readonly advice: string;
}

/**
 * The errors that apps meet, by their codes (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5; RFC 8707,
 * section 2; OpenID Connect Core, section 3.1.2.6). Those of an authorization stand in the address of the app.
 */
export const OAUTH_ERRORS = {
  invalid_request: {
    status: 400,
    explanation: 'A parameter is missing, unknown, repeated or malformed. An authorization without PKCE is one, too.',
    advice:
      'Read error_description, which names the parameter. Send forms (application/x-www-form-urlencoded), ' +
      'code_challenge_method=S256 and a code_verifier of 43 to 128 characters.',
  },
  invalid_client: {
    status: 401,
    explanation:
      'The app is unknown, was revoked, or its secret is wrong. It is also unknown while its developer is suspended.',
    advice:
      'Compare client_id with "Your apps" in the panel. Send the secret by HTTP Basic or in the form, not both; a ' +
      'native app has none. Make a new secret there if it was lost.',
  },
  invalid_grant: {
    status: 400,
    explanation:
      'The code, the device code or the refresh token has expired, was already used or revoked, or belongs to ' +
      'another app. Or redirect_uri or code_verifier differ from those of the authorization.',
    advice:
      'Ask the person again. A code is valid for a minute and works once. Each refresh returns a new refresh token: ' +
      'store it. For 10 seconds the same refresh gets the same answer; one that comes later ends the connection.',
  },
  unauthorized_client: {
    status: 400,
    explanation: 'An app of this kind cannot use this grant: machines have no browser, and other apps act for people.',
    advice: 'Register an app of the right kind: machine for client_credentials, native for the device flow.',
  },
  unsupported_grant_type: {
    status: 400,
    explanation: 'grant_type is missing or none that this server has.',
    advice:
      'Use authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:device_code.',
  },
  invalid_scope: {
    status: 400,
    explanation: 'A scope is unknown, or is not one of those with which the app was registered.',
    advice: 'Ask for automations:read and automations:write at most, and allow the scope under "Your apps".',
  },
  invalid_target: {
    status: 400,
    explanation: 'resource is not an address for which this server issues tokens, or there is more than one.',
    advice:
      'Send the "resource" of the metadata of the API or of the tools for agents, exactly as it is there. A token is ' +
      'for one of them.',
  },
  access_denied: {
    status: 400,
    explanation: 'The person refused, or their role allows nothing of what the app asked for.',
    advice: 'Go on without the connection. Ask again only when the person wants it.',
  },
  authorization_pending: {
    status: 400,
    explanation: 'The person has not entered the code of the device yet.',
    advice: 'Wait 5 seconds, and ask again.',
  },
  expired_token: {
    status: 400,
    explanation: 'The person did not enter the code of the device in time.',
    advice: 'Begin again with a new device code, and show the new code.',
  },
  unsupported_response_type: {
    status: 400,
    explanation: 'response_type is not code: the browser gets no token from this server.',
    advice: 'Send response_type=code, and exchange the code at the token endpoint.',
  },
  login_required: {
    status: 400,
    explanation: 'The app asked with prompt=none, but this server asks the person each time.',
    advice: 'Leave prompt out. To go on without the person, use the refresh token.',
  },
  server_error: {
    status: 500,
    explanation: 'The server failed, or its store is out of reach.',
    advice: 'Try again later, with longer and longer waits. The log of the marketplace has the cause.',
  },
} as const satisfies Readonly<Record<string, OAuthError>>;
