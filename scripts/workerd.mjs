import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-plugin'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { bundle, loadBundle } from './bundle.mjs'
import { root, testDataDirectory } from './toolchain.mjs'

/** A key for tests and measurements. */
export const VAULT_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`

/**
 * Runs a bundle in workerd through miniflare, without wrangler's proxy, on its own migrated D1 and its own R2.
 *
 * @param {string} entry the module that is bundled, relative to the root
 * @param {object} [options]
 * @param {readonly string[]} [options.databases] the bindings of its databases
 * @param {readonly string[]} [options.before] statements that run before the migrations
 * @param {(sql: string) => string} [options.migration] changes each statement of the migrations
 * @param {boolean} [options.isInspected] whether a debugger may connect, at `inspector`; the bundle is then minified, as a deployed one
 * @param {string} [options.inside] where the data is kept: in memory, if there is room, without it
 */
export async function startWorkerd(
  entry,
  {
    databases = ['DB'],
    before = [],
    migration = (sql) => sql,
    isInspected = false,
    inside = testDataDirectory(),
  } = {},
) {
  const directory = mkdtempSync(join(inside, 'platform-workerd-'))
  const bundleDirectory = join(directory, 'bundle')
  await bundle(entry, bundleDirectory, { minify: isInspected })
  // Only these: most entries do not export the Durable Objects of wrangler.toml.
  const { modulesRoot, modules, compatibilityDate, compatibilityFlags } = loadBundle(bundleDirectory)
  const start = () =>
    new Miniflare(
      convertV4MiniflareOptions({
        name: 'platform',
        modulesRoot,
        modules,
        compatibilityDate,
        compatibilityFlags,
        d1Databases: [...databases],
        resourcePersistencePath: join(directory, 'state'),
        cf: false,
        telemetry: { enabled: false },
        ...(isInspected && { inspectorPort: 0 }),
        r2Buckets: ['FILES'],
        bindings: {
          APP_ENV: 'development',
          PUBLIC_ORIGIN: 'http://localhost',
          RATE_LIMITS: 'off',
          VAULT_KEYS,
        },
        unsafeDirectSockets: [{}],
      }),
    )
  let miniflare = start()
  await miniflare.ready
  const migrations = await readD1Migrations(join(root, 'migrations'))
  for (const name of databases) {
    const database = await miniflare.getD1Database(name)
    for (const sql of before) await database.prepare(sql).run()
    for (const { queries } of migrations)
      await database.batch(queries.map((query) => database.prepare(migration(query))))
  }
  const getConnections = async () => ({
    address: (await miniflare.unsafeGetDirectURL()).origin,
    database: await miniflare.getD1Database('DB'),
  })
  return {
    ...(await getConnections()),
    inspector: isInspected ? await miniflare.getInspectorURL() : null,
    /**
     * Stops workerd, passes the folder of its databases to `work`, and starts workerd again with the folder's contents.
     * @param {(folder: string) => Promise<void>} work
     */
    async whileStopped(work) {
      await miniflare.dispose()
      await work(join(directory, 'state'))
      miniflare = start()
      await miniflare.ready
      return getConnections()
    },
    async stop() {
      await miniflare.dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
