import { type Bucket, hashSha256 } from '../../../scripts/backup/bucket.ts'

/** A bucket in memory. */
export function memoryBucket(): Bucket & { readonly files: Map<string, Uint8Array<ArrayBuffer>> } {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const metadata = new Map<string, Record<string, string>>()
  return {
    files,
    async get(key) {
      const bytes = files.get(key)
      if (bytes === undefined) return null
      const httpMetadata = metadata.get(key) ?? {}
      return {
        bytes,
        file: { key, size: bytes.length, sha256: hashSha256(bytes), httpMetadata, customMetadata: {} },
      }
    },
    async put({ key, httpMetadata }, bytes) {
      files.set(key, bytes)
      metadata.set(key, { ...httpMetadata })
    },
    async delete(key) {
      files.delete(key)
    },
    keys: async () => [...files.keys()],
    close: async () => undefined,
  }
}

/** A file's metadata. */
export function stored(key: string, contentType = 'application/octet-stream') {
  return { key, size: 0, sha256: '', httpMetadata: { contentType }, customMetadata: {} }
}
