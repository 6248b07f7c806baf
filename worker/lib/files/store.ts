import type { Call } from '../call.ts'

/**
 * Puts a file into the bucket, then does what refers to it. The file comes first, because a file that nothing refers to
 * is harmless and a row without its file is not; when the rest fails, the file goes again.
 */
export async function withStoredFile<T>(
  call: Call,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  then: () => Promise<T>,
): Promise<T> {
  await call.env.FILES.put(key, bytes, { httpMetadata: { contentType } })
  try {
    return await then()
  } catch (error) {
    call.defer(call.env.FILES.delete(key))
    throw error
  }
}
