import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'
import { withLock } from './lock.mjs'
import { isMain, root, run, runCommand } from './toolchain.mjs'

/** @typedef {'production' | 'development'} Purpose only a development build has the development pages */

// Separate folders, so that a development build is never deployed.
const places = { production: join(root, 'dist'), development: join(root, '.astro/development') }
/** Everything that the site depends on. */
const siteInputs = [
  'src',
  'engine',
  'data',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/integrations',
]
/** Everything that the Worker of development depends on. */
const workerInputs = [
  'worker',
  'migrations',
  'src',
  'engine',
  'data',
  'wrangler.toml',
  'tsconfig.json',
  'package-lock.json',
  'scripts/bundle.mjs',
]

/**
 * Builds the site into the folder of its purpose, unless that already has a build of the same sources.
 *
 * @param {Purpose} purpose
 * @param {{ force?: boolean, copyTo?: string }} [options] `copyTo` gets a copy that later builds leave alone
 */
export async function build(purpose, { force = false, copyTo } = {}) {
  // The copyright line names the year of the build.
  const inputs = [`${purpose} ${new Date().getFullYear()}`, ...siteInputs, ...listEvidence()]
  await ensureBuilt('build', places[purpose], inputs, (directory) => buildInto(directory, purpose), {
    force,
    copyTo,
  })
}

/**
 * Bundles the Worker of development, unless there already is a bundle of the same sources.
 *
 * @param {string} copyTo gets a copy that later bundles leave alone
 */
export async function bundleWorker(copyTo) {
  const place = join(root, '.astro/worker')
  await ensureBuilt('bundle', place, workerInputs, (directory) => bundle('worker/dev/index.ts', directory), {
    copyTo,
  })
}

/**
 * Builds a folder from its inputs, unless it already was built from the same ones. Works in another folder and renames it, so that an
 * incomplete one is never used. Concurrent work of the same name waits.
 *
 * @param {string} name @param {string} place
 * @param {readonly string[]} inputs files and folders relative to the root, and other text that the result depends on
 * @param {(directory: string) => Promise<void>} make
 * @param {{ force?: boolean, copyTo?: string }} options
 */
async function ensureBuilt(name, place, inputs, make, { force = false, copyTo }) {
  await withLock(name, async () => {
    const fingerprint = computeFingerprint(inputs)
    if (force || readFingerprint(place) !== fingerprint) {
      const fresh = join(root, `.astro/${name}-${process.pid}`)
      rmSync(fresh, { recursive: true, force: true })
      await make(fresh)
      // Written last: an interrupted build has no fingerprint.
      writeFileSync(join(fresh, '.inputs'), `${fingerprint}\n`)
      rmSync(place, { recursive: true, force: true })
      renameSync(fresh, place)
    }
    if (copyTo && readFingerprint(copyTo) !== fingerprint) {
      rmSync(copyTo, { recursive: true, force: true })
      cpSync(place, copyTo, { recursive: true })
    }
  })
}

/** The fingerprint of the sources that a complete folder was made from. @param {string} directory */
function readFingerprint(directory) {
  const path = join(directory, '.inputs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** @param {string} directory @param {Purpose} purpose */
async function buildInto(directory, purpose) {
  // Runs while Astro bundles. A failed backtest is reported by the page that shows it.
  const tests = run('node', ['scripts/backtests.mjs']).catch(() => {})
  await run('astro', ['build', '--outDir', directory], { BUILD_FOR: purpose })
  await tests
}

/** @param {readonly string[]} inputs */
function computeFingerprint(inputs) {
  const hash = createHash('sha256').update(inputs.join('\n'))
  for (const path of [...new Set(inputs.flatMap(listFiles))].sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`\n${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The tests whose source code the claim pages show. */
function listEvidence() {
  return listFiles('src/content/claims').flatMap((path) => {
    const named = readFileSync(join(root, path), 'utf8').matchAll(/^[\s-]*file: *['"]?([^'"\s]+)/gm)
    return [...named].map(([, file = '']) => file)
  })
}

/** @param {string} path relative to the root @returns {string[]} */
function listFiles(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => listFiles(`${path}/${name}`))
}

// `npm run build -- --force` builds even without changes.
if (isMain(import.meta.url))
  await runCommand(() =>
    build(process.argv.includes('--development') ? 'development' : 'production', {
      force: process.argv.includes('--force'),
    }),
  )
