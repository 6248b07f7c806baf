import type { Fault } from './faults.ts'

/** The part of R2's binding that the Worker uses, in memory. */
export function openBucket(): R2Bucket {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  return asBinding({
    async put(key: string, bytes: Uint8Array | ArrayBuffer | string) {
      files.set(
        key,
        typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(new Uint8Array(bytes)),
      )
      return null
    },
    async get(key: string) {
      const bytes = files.get(key)
      if (bytes === undefined) return null
      return {
        key,
        size: bytes.length,
        body: new Blob([bytes]).stream(),
        arrayBuffer: async () => bytes.slice().buffer,
      }
    },
    async delete(keys: string | readonly string[]) {
      for (const key of typeof keys === 'string' ? [keys] : keys) files.delete(key)
    },
  })
}

/** Stands between the Worker and its files. */
export interface FileGate {
  /** Runs a call: it may throw instead, or never end. */
  readonly pass: <Result>(execute: () => Promise<Result>) => Promise<Result>
  readonly happens: (fault: Fault) => boolean
}

/** A bucket with a gate before each call. */
export function gateBucket(bucket: R2Bucket, { pass, happens }: FileGate): R2Bucket {
  return asBinding({
    put: (key: string, bytes: Uint8Array | ArrayBuffer | string) =>
      pass(async () => {
        if (happens('file_gone')) return null
        await bucket.put(key, bytes)
        if (happens('file_stored')) throw new Error('put: internal error (10001)')
        return null
      }),
    get: (key: string) =>
      pass(async () => {
        const file = await bucket.get(key)
        return file === null || happens('file_stale') ? null : file
      }),
    delete: (keys: string | string[]) => pass(() => bucket.delete(keys)),
  })
}

/** The Worker uses no other member: it would throw here, as it would fail in production. */
function asBinding(part: Readonly<Record<'put' | 'get' | 'delete', unknown>>): R2Bucket {
  return part as unknown as R2Bucket
}
