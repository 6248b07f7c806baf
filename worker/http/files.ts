import { refusalOfDatabase } from '../lib/errors.ts'
import type { Call } from './call.ts'

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

/**
 * Puts a file into the bucket, then commits what refers to it. The file comes first, because a file that nothing refers
 * to is harmless and a row without its file is not. Returns what `commit` returns. When the database refuses the rest, the file goes again; when it is
 * unknown whether the database took it, the file stays.
 */
export async function withStoredFile<T>(
  call: Call,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  commit: () => Promise<T>,
): Promise<T> {
  await call.env.FILES.put(key, bytes, { httpMetadata: { contentType } })
  try {
    return await commit()
  } catch (error) {
    const refusal = refusalOfDatabase(error)
    if (refusal !== null && refusal.code !== 'unavailable') call.defer(call.env.FILES.delete(key))
    throw error
  }
}
