import { findDatabaseRefusal } from '../lib/errors.ts'
import type { Call } from './call.ts'

/**
 * Answers an uploaded file as a download that the browser never displays. A picture may contain markup, so the browser must
 * neither sniff the type nor run scripts.
 */
export function createAttachment(
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  type: string,
  name: string,
): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}.${EXTENSIONS[type] ?? 'bin'}"`,
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
  'application/pdf': 'pdf',
}

/**
 * Stores a file, then commits the rows that refer to it. The file comes first, because a file without a row is harmless and a
 * row without its file is not. Returns the result of `commit`. If the database refuses, the file is deleted; if the outcome is
 * unknown, the file stays.
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
    const refusal = findDatabaseRefusal(error)
    if (refusal !== null && refusal.code !== 'unavailable') call.defer(() => call.env.FILES.delete(key))
    throw error
  }
}
