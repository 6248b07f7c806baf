import type { Fault } from './faults.ts'

/** Stands between the Worker and its files. */
export interface FileGate {
  /** Runs before each call: it may throw, or never end. */
  readonly pass: () => Promise<void>
  readonly happens: (fault: Fault) => boolean
}

/** The part of R2's binding that the Worker uses, in memory. */
export function bindBucket(
  files: Map<string, Uint8Array<ArrayBuffer>>,
  { pass, happens }: FileGate,
): R2Bucket {
  const part = {
    async put(key: string, bytes: Uint8Array | ArrayBuffer | string): Promise<null> {
      await pass()
      if (happens('file_gone')) return null
      files.set(
        key,
        typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(new Uint8Array(bytes)),
      )
      if (happens('file_stored')) throw new Error('put: internal error (10001)')
      return null
    },
    async get(key: string): Promise<unknown> {
      await pass()
      const bytes = files.get(key)
      if (bytes === undefined || happens('file_stale')) return null
      return {
        key,
        size: bytes.length,
        body: new Blob([bytes]).stream(),
        arrayBuffer: async () => bytes.slice().buffer,
      }
    },
    async delete(keys: string | readonly string[]): Promise<void> {
      await pass()
      for (const key of typeof keys === 'string' ? [keys] : keys) files.delete(key)
    },
  }
  // The Worker uses no other member: it would throw here, as it would fail in production.
  return part as unknown as R2Bucket
}
