import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPlatformProxy, unstable_readConfig } from 'wrangler'
import { root } from '../toolchain.mjs'
import type { StoredFile } from './manifest.ts'

export interface Bucket {
  /** A file and its metadata; null if it does not exist. */
  get(key: string): Promise<{ file: StoredFile; bytes: Uint8Array<ArrayBuffer> } | null>
  put(file: StoredFile, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  delete(key: string): Promise<void>
  isEmpty(): Promise<boolean>
  close(): Promise<void>
}

/** Key prefixes of uploads. All other files in the bucket can be fetched again. */
const PREFIXES = ['receipts/', 'kyc/'] as const

/** Opens the bucket of wrangler.toml in a separate runtime: of a local state, of another project folder, or deployed (`remote`). */
export async function openBucket(target: {
  persistTo?: string
  project?: string
  remote?: boolean
}): Promise<Bucket> {
  const project = target.project ?? root
  const { compatibility_date, account_id, r2_buckets } = unstable_readConfig({
    config: join(project, 'wrangler.toml'),
  })
  const bucket = r2_buckets.find((one: { binding: string }) => one.binding === 'FILES')
  if (bucket === undefined) throw new Error('wrangler.toml names no bucket FILES.')
  const directory = mkdtempSync(join(tmpdir(), 'evenkeel-bucket-'))
  const configPath = join(directory, 'wrangler.json')
  const binding = { binding: 'FILES', bucket_name: bucket.bucket_name, remote: target.remote ?? false }
  writeFileSync(
    configPath,
    JSON.stringify({ name: 'evenkeel-backup', compatibility_date, account_id, r2_buckets: [binding] }),
  )
  const { env, dispose } = await getPlatformProxy<{ FILES: R2Bucket }>({
    configPath,
    persist: { path: join(target.persistTo ?? join(project, '.wrangler/state'), 'v3') },
    remoteBindings: target.remote ?? false,
  })
  return {
    async get(key) {
      const object = await env.FILES.get(key)
      if (object === null) return null
      const bytes = new Uint8Array(await object.arrayBuffer())
      return { file: describe(object, bytes), bytes }
    },
    async put({ key, httpMetadata, customMetadata }, bytes) {
      await env.FILES.put(key, bytes, { httpMetadata, customMetadata })
    },
    delete: (key) => env.FILES.delete(key),
    async isEmpty() {
      for (const prefix of PREFIXES) {
        const { objects } = await env.FILES.list({ prefix, limit: 1 })
        if (objects.length > 0) return false
      }
      return true
    },
    async close() {
      await dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function describe(object: R2Object, bytes: Uint8Array): StoredFile {
  return {
    key: object.key,
    size: bytes.length,
    sha256: digest(bytes),
    httpMetadata: { ...(object.httpMetadata as Record<string, string> | undefined) },
    customMetadata: { ...object.customMetadata },
  }
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
