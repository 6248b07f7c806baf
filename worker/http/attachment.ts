/**
 * An uploaded file as an answer: to be saved, never shown, by whoever opens its address. A picture may hold markup, so
 * the browser is told to guess nothing and to run nothing.
 */
export function attachment(
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  type: string,
  name: string,
): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}.${EXTENSIONS[type] ?? 'bin'}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    },
  })
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'application/age': 'age',
}
