import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { hashMigrations } from './scripts/backup/manifest.ts'
import { testDataDirectory } from './scripts/toolchain.mjs'
import { listSchemaStatements } from './test/setup/schema.ts'
import { SAMPLE_RECOVERY_RECIPIENT } from './worker/dev/seed/sampleKeys.ts'

// Offline: the runtime would ask its maker where in the world this machine is.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
process.env.WRANGLER_SEND_METRICS = 'false'
// Each runtime keeps its database in TMPDIR, and leaves it there.
const scratch = mkdtempSync(join(testDataDirectory(), 'platform-vitest-'))
process.env.TMPDIR = scratch
// Programs that tests start load their modules faster from what the first one compiled.
process.env.NODE_COMPILE_CACHE ??= join(scratch, 'compiled')
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))
// wrangler.toml says that it is required: without it in the environment wrangler warns.
const VAULT_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`
process.env.VAULT_KEYS = VAULT_KEYS

/** Bundled once, so that a test file does not fetch them module by module; CommonJS ones become modules by it. */
const workerPackages = [
  '@noble/hashes/sha2.js',
  '@noble/hashes/sha3.js',
  '@simplewebauthn/server',
  '@scure/base',
  'age-encryption',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'hono',
  'hono/cookie',
  'hono/cors',
  // It finds routes by a symbol of `hono`, so both must come from one bundle.
  'hono/route',
  'hono/secure-headers',
  'otpauth',
  'sanitize-html',
  'saxes',
  'uqr',
  'zod/mini',
]

/** Ms. A test that hangs ends; how fast the code is, `test/bench/` measures, and a busy machine fails no test. */
const PATIENCE = 60_000

const inWorkerd = '**/*.worker.test.ts'
/** Tests against a bitcoin and an Ethereum node, and with a client of exchanges, which have packages of their own. */
const withNodes = ['test/nodes/*.test.ts', 'test/stories/*.test.ts', 'test/venues/ccxt.test.ts']
/** The seed of `npm run test:long`; null in a short run. */
const longSeed = process.env.LONG_SEED ? Number(process.env.LONG_SEED) : null
/** Tests that start builds, simulators or servers. `npm run check` leaves them out. */
const startsPrograms = [
  'test/content.test.ts',
  'test/kill.test.ts',
  'test/rehearsal.test.ts',
  'test/simulator.test.ts',
  'test/venueRuns.test.ts',
  'test/workerBundle.test.ts',
  'scripts/{backup,launch}/*.test.ts',
  'scripts/migrate.test.ts',
]
const elsewhere = ['**/node_modules/**', 'dist/**', ...(longSeed === null ? ['**/*.long.test.ts'] : [])]

/** Changes one file as `npm run mutate` says at the moment. */
const mutant = {
  name: 'mutant',
  enforce: 'pre' as const,
  transform(_text: string, id: string) {
    if (!process.env.MUTANT) return null
    const { path, text }: { path: string; text: string } = JSON.parse(process.env.MUTANT)
    return id === path ? text : null
  },
}

export default defineConfig({
  test: {
    // One a core: vitest leaves one core idle by itself.
    maxWorkers: '100%',
    // Tests are refused by the thousand; one of them looks at these lines.
    onConsoleLog: (log) => !log.startsWith('{"level":"security"'),
    projects: [
      {
        plugins: [mutant],
        test: {
          name: 'unit',
          isolate: false,
          provide: { longSeed },
          setupFiles: ['./test/setup/random.ts'],
          include: ['{src,worker,engine,test,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, inWorkerd, ...withNodes, ...(process.env.QUICK ? startsPrograms : [])],
          environment: 'node',
          testTimeout: longSeed === null ? PATIENCE : 30 * PATIENCE,
        },
      },
      {
        // Node does not load WebAssembly as the Worker does. No test with nodes hashes a password.
        plugins: [
          {
            name: 'no-web-assembly',
            enforce: 'pre' as const,
            resolveId: (id: string) => (id.endsWith('.wasm') ? `\0${id}.js` : null),
            load: (id: string) => (id.endsWith('.wasm.js') ? 'export default null' : null),
          },
        ],
        test: {
          name: 'nodes',
          isolate: false,
          globalSetup: ['./test/setup/nodes.ts'],
          include: withNodes,
          environment: 'node',
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
        },
      },
      {
        plugins: [
          mutant,
          cloudflareTest({
            main: './test/support/countingWorker.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              d1Databases: ['SECOND_DB'],
              bindings: {
                APP_ENV: 'development',
                PUBLIC_ORIGIN: 'http://localhost:8787',
                RATE_LIMITS: 'on',
                VAULT_KEYS,
                KYC_RECOVERY_RECIPIENT: SAMPLE_RECOVERY_RECIPIENT,
                SCHEMA_SQL: listSchemaStatements(),
                SCHEMA_HASH: await hashMigrations(),
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          // All files share one runtime for each core, and get a database of their own: test/setup/migrate.ts.
          isolate: false,
          provide: { longSeed },
          include: [`{worker,test}/${inWorkerd}`],
          exclude: elsewhere,
          setupFiles: ['./test/setup/random.ts', './test/setup/passwords.ts', './test/setup/migrate.ts'],
          globalSetup: ['./test/setup/marketProvider.ts', './test/setup/candlesProvider.ts'],
          deps: { optimizer: { ssr: { enabled: true, include: workerPackages } } },
          testTimeout: longSeed === null ? PATIENCE : 30 * PATIENCE,
          hookTimeout: PATIENCE,
        },
      },
    ],
  },
})
