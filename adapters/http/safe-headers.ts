/** On every answer, whoever writes it; what a client may keep is said by those that it may keep. */
export function safeHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Vary: 'Authorization',
  };
}
