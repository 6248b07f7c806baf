import { refusalOfDatabase } from '../lib/errors.ts'
import type { Call } from './call.ts'

/**
 * Puts a file into the bucket, then commits what refers to it. The file comes first, because a file that nothing refers
 * to is harmless and a row without its file is not. When the database refuses the rest, the file goes again; when it is
 * unknown whether the database took it, the file stays.
 */
export async function withStoredFile(
  call: Call,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  commit: () => Promise<void>,
): Promise<void> {
  await call.env.FILES.put(key, bytes, { httpMetadata: { contentType } })
  try {
    await commit()
  } catch (error) {
    const refusal = refusalOfDatabase(error)
    if (refusal !== null && refusal.code !== 'unavailable') call.defer(call.env.FILES.delete(key))
    throw error
  }
}
