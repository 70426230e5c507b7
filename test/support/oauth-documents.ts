/**
 * Metadata documents like those of well-known agents: one in a terminal, one in an editor, and one that is hosted.
 * Their hosts are made up.
 */
const REDIRECT_URIS = {
  terminal: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  editor: ['http://127.0.0.1:33418/', 'http://localhost/', 'https://editor.example/redirect'],
  hosted: ['https://assistant.example/api/mcp/auth_callback'],
} as const;

/** One of these agents. */
export type AgentDocument = keyof typeof REDIRECT_URIS;
export const DOCUMENTS = Object.keys(REDIRECT_URIS) as readonly AgentDocument[];

/** Returns the address of a document, which is the `client_id`, and the document. */
export function agentDocument(name: AgentDocument): readonly [id: string, document: object] {
  const id = `https://${name}.example/oauth/client-metadata.json`;
  const document = {
    client_id: id,
    client_name: `An agent (${name})`,
    client_uri: `https://${name}.example`,
    logo_uri: `https://${name}.example/logo.png`,
    redirect_uris: REDIRECT_URIS[name],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return [id, document];
}
