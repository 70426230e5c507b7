/** Made-up secrets in parts, so that no scanner of repositories takes them for real ones. */
const made = (...parts: readonly string[]) => parts.join('');

const LETTERS = 'Qw3rT9yU1oP5aS7dF2gH8jK4lZ6xC0vB3nM1qW5eR7tY9uI2oP4aS6dF8gH0jK2l';
const HEX = '3f9a1c5e7b2d4f6a8c0e1b3d5f7a9c2e4b6d8f0a1c3e5b7d9f2a4c6e8b0d1f3a';

export const SECRETS: readonly { readonly kind: string; readonly secret: string }[] = [
  { kind: 'a private key', secret: made('-----BEGIN RSA PRIV', `ATE KEY-----\n${LETTERS}`) },
  { kind: 'a key of AWS', secret: made('AK', 'IAQ3RT9YU1OP5AS7DF') },
  { kind: 'a secret key of AWS', secret: made('aws_secret_access', '_key=', LETTERS.slice(0, 40)) },
  { kind: 'a key of Google', secret: made('AI', 'za', LETTERS.slice(0, 35)) },
  { kind: 'a client secret of Google', secret: made('GOC', 'SPX-', LETTERS.slice(0, 28)) },
  { kind: 'an access token of Google', secret: made('ya', '29.', LETTERS) },
  { kind: 'a token of GitHub', secret: made('gh', 'p_', LETTERS.slice(0, 36)) },
  { kind: 'a token of GitHub', secret: made('github', '_pat_', LETTERS.slice(0, 50)) },
  { kind: 'a token of GitLab', secret: made('gl', 'pat-', LETTERS.slice(0, 20)) },
  { kind: 'a token of Slack', secret: made('xo', 'xb-', `1234567890-${LETTERS.slice(0, 24)}`) },
  {
    kind: 'a webhook of Slack',
    secret: made('https://hooks.sl', `ack.com/services/T0A1B2C3D/B0A1B2C3D/${LETTERS.slice(0, 24)}`),
  },
  { kind: 'a webhook of Discord', secret: made('https://disc', `ord.com/api/webhooks/123456789012345678/${LETTERS}`) },
  { kind: 'a key of OpenAI', secret: made('s', 'k-proj-', LETTERS.slice(0, 48)) },
  { kind: 'a key of OpenAI', secret: made('s', 'k-', LETTERS.slice(0, 20), 'T3Blbk', 'FJ', LETTERS.slice(0, 20)) },
  { kind: 'a key of Anthropic', secret: made('s', 'k-ant-api03-', LETTERS) },
  { kind: 'a key of Stripe', secret: made('sk_li', 've_', LETTERS.slice(0, 24)) },
  { kind: 'a key of SendGrid', secret: made('S', 'G.', LETTERS.slice(0, 22), '.', LETTERS.slice(0, 43)) },
  { kind: 'a token of a Telegram bot', secret: made('123456', '7890:', LETTERS.slice(0, 35)) },
  { kind: 'a token of Hugging Face', secret: made('h', 'f_', 'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi') },
  { kind: 'a token of npm', secret: made('np', 'm_', LETTERS.slice(0, 36)) },
  { kind: 'a token of Airtable', secret: made('pa', 't', LETTERS.slice(0, 14), '.', HEX) },
  { kind: 'a token of Notion', secret: made('nt', 'n_', LETTERS.slice(0, 43)) },
  { kind: 'a key of Mailgun', secret: made('ke', 'y-', HEX.slice(0, 32)) },
  { kind: 'a key of Tavily', secret: made('tv', 'ly-', LETTERS.slice(0, 32)) },
  { kind: 'a key of this market', secret: made('am', 'k_', LETTERS.slice(0, 36)) },
  {
    kind: 'a JSON web token',
    secret: made('ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0', 'NTY3ODkwIn0.', LETTERS),
  },
  { kind: 'a password in an address', secret: made('postgres://ada', ':', LETTERS.slice(0, 16), '@db.example') },
  { kind: 'an access token in a header', secret: made('Bea', 'rer ', LETTERS.slice(0, 30)) },
];
