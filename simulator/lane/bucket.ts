/** The part of R2's binding that the Worker uses, in memory. `gate` runs before each call: it may throw, or never end. */
export function bindBucket(files: Map<string, Uint8Array<ArrayBuffer>>, gate: () => Promise<void>): R2Bucket {
  const part = {
    async put(key: string, bytes: Uint8Array | ArrayBuffer | string): Promise<null> {
      await gate()
      files.set(
        key,
        typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(new Uint8Array(bytes)),
      )
      return null
    },
    async get(key: string): Promise<unknown> {
      await gate()
      const bytes = files.get(key)
      if (bytes === undefined) return null
      return {
        key,
        size: bytes.length,
        body: new Blob([bytes]).stream(),
        arrayBuffer: async () => bytes.slice().buffer,
      }
    },
    async delete(keys: string | readonly string[]): Promise<void> {
      await gate()
      for (const key of typeof keys === 'string' ? [keys] : keys) files.delete(key)
    },
  }
  // The Worker uses no other member: it would throw here, as it would fail in production.
  return part as unknown as R2Bucket
}
