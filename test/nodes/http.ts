import type { IncomingMessage } from 'node:http'

/** The body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
