import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../settingsFile.mjs'
import type { StoredFile } from './manifest.ts'

export interface Bucket {
  /** A file and its metadata; null if it does not exist. */
  get(key: string): Promise<{ file: StoredFile; bytes: Uint8Array<ArrayBuffer> } | null>
  put(file: StoredFile, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  delete(key: string): Promise<void>
  /** The keys of all uploads. */
  keys(): Promise<string[]>
  close(): Promise<void>
}

/** Key prefixes of uploads. All other files in the bucket can be fetched again. */
export const PREFIXES = ['receipts/', 'kyc/'] as const

/** What wrangler.toml says about the bucket. */
export interface BucketConfig {
  readonly name: string
  /** Where its files must stay, such as `eu`. It is part of the address of the bucket. */
  readonly jurisdiction: string | undefined
  readonly accountId: string | undefined
  readonly compatibilityDate: string | undefined
}

/** Reads the settings of the bucket FILES. @param project the folder of wrangler.toml */
export function readBucketConfig(project: string): BucketConfig {
  const { compatibility_date, account_id, r2_buckets } = readSettings(project)
  const bucket = r2_buckets.find(({ binding }) => binding === 'FILES')
  if (bucket?.bucket_name === undefined) throw new Error('wrangler.toml names no bucket FILES.')
  return {
    name: bucket.bucket_name,
    jurisdiction: bucket.jurisdiction,
    accountId: account_id,
    compatibilityDate: compatibility_date,
  }
}

/** Opens the bucket of a local state in a separate runtime. */
export async function openLocalBucket(project: string, statePath: string): Promise<Bucket> {
  const { name, compatibilityDate } = readBucketConfig(project)
  const directory = mkdtempSync(join(tmpdir(), 'platform-bucket-'))
  const configPath = join(directory, 'wrangler.json')
  writeFileSync(
    configPath,
    JSON.stringify({
      name: 'platform-backup',
      compatibility_date: compatibilityDate,
      r2_buckets: [{ binding: 'FILES', bucket_name: name }],
    }),
  )
  // Takes a second to load.
  const { getPlatformProxy } = await import('wrangler')
  const { env, dispose } = await getPlatformProxy<{ FILES: R2Bucket }>({
    configPath,
    persist: { path: join(statePath, 'v3') },
    remoteBindings: false,
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
    async keys() {
      const keys: string[] = []
      for (const prefix of PREFIXES) {
        let page = await env.FILES.list({ prefix })
        keys.push(...page.objects.map(({ key }) => key))
        while (page.truncated) {
          page = await env.FILES.list({ prefix, cursor: page.cursor })
          keys.push(...page.objects.map(({ key }) => key))
        }
      }
      return keys
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
    sha256: hashSha256(bytes),
    httpMetadata: { ...(object.httpMetadata as Record<string, string> | undefined) },
    customMetadata: { ...object.customMetadata },
  }
}

export function hashSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
