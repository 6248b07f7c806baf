import { createHash, createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { Cloudflare } from './server.ts'
import type { Binding, Version } from './workers.ts'

/** A deployed Worker that runs. */
export interface RunningWorker {
  /** Sends a request to it, as from the internet. */
  send(url: string, init?: RequestInit): Promise<Response>
  /** Runs a query on its database. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Ends it, and writes what it stored back into the stand-in's database and bucket. */
  end(): Promise<void>
}

/** Runs the deployed version of a Worker, exactly as it was uploaded, on a copy of a database of the stand-in and an empty bucket. */
export async function runDeployed(
  { workers, databases, buckets }: Cloudflare,
  name: string,
  { database, bucket }: { database: string; bucket: string },
): Promise<RunningWorker> {
  const version = workers.deployedVersion(name)
  if (version === undefined) throw new Error(`No Worker ${name} is deployed.`)
  const directory = mkdtempSync(join(tmpdir(), 'platform-runtime-'))
  const stored = join(directory, 'v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(stored, { recursive: true })
  const path = join(stored, `${objectId('miniflare-D1DatabaseObject', 'DB')}.sqlite`)
  databases.connect(database).exec(`VACUUM INTO '${path}'`)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...describeWorker(version),
      resourcePersistencePath: join(directory, 'v3'),
      cf: false,
      telemetry: { enabled: false },
    }),
  )
  await miniflare.ready
  return {
    async send(url, init) {
      // Safe, because Miniflare's fetch takes what Node's does, and its answer has the same methods.
      const answer = await miniflare.dispatchFetch(url, init as never)
      return answer as unknown as Response
    },
    async query(sql) {
      const { DB } = await miniflare.getBindings<{ DB: D1Database }>()
      return (await DB.prepare(sql).all()).results
    },
    async end() {
      const { FILES } = await miniflare.getBindings<{ FILES: R2Bucket }>()
      for (const { key } of (await FILES.list()).objects) {
        const file = await FILES.get(key)
        const headers = { 'content-type': file?.httpMetadata?.contentType ?? '' }
        const bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
        buckets.find(bucket)?.files.set(key, { bytes, headers })
      }
      await miniflare.dispose()
      const copy = join(directory, 'copy.sqlite')
      const written = new DatabaseSync(path)
      written.exec('DROP TABLE IF EXISTS _cf_METADATA; DROP TABLE IF EXISTS _cf_KV')
      written.exec(`VACUUM INTO '${copy}'`)
      written.close()
      databases.replace(database, copy)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function describeWorker({ bindings, metadata, modules }: Version) {
  const named = (type: string) => bindings.filter((binding) => binding.type === type)
  const pairs = <Value>(type: string, value: (binding: Binding) => Value) =>
    Object.fromEntries(named(type).map((binding) => [binding.name, value(binding)]))
  const main = String(metadata.main_module)
  return {
    name: 'deployed',
    compatibilityDate: String(metadata.compatibility_date),
    compatibilityFlags: (metadata.compatibility_flags ?? []) as string[],
    modulesRoot: '/',
    modules: [...modules]
      .filter(([name]) => /\.(?:js|wasm)$/.test(name))
      .sort(([name]) => (name === main ? -1 : 1))
      .map(([name, contents]) => ({
        type: name.endsWith('.wasm') ? ('CompiledWasm' as const) : ('ESModule' as const),
        path: `/${name}`,
        contents,
      })),
    bindings: {
      ...pairs('plain_text', ({ text }) => text ?? ''),
      ...pairs('secret_text', ({ text }) => text ?? ''),
    },
    d1Databases: pairs('d1', () => 'DB'),
    r2Buckets: named('r2_bucket').map(({ name }) => name),
    durableObjects: pairs('durable_object_namespace', ({ class_name }) => ({
      className: class_name ?? '',
      useSQLite: true,
    })),
  }
}

/** The id that the runtime gives to the object of a name, which is also the name of its file. */
function objectId(uniqueKey: string, name: string): string {
  const key = createHash('sha256').update(uniqueKey).digest()
  const hmac = (data: Buffer | string) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const first = hmac(name)
  return Buffer.concat([first, hmac(first)]).toString('hex')
}
