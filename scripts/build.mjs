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
import { withLock } from './lock.mjs'
import { isMain, root, run, runCommand } from './toolchain.mjs'

/** @typedef {'production' | 'development'} Purpose only a development build has the development pages */

// Separate folders, so that a development build is never deployed.
const places = { production: join(root, 'dist'), development: join(root, '.astro/development') }
/** Everything that the build's output depends on. */
const inputs = [
  'src',
  'engine',
  'data',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/integrations',
]

/**
 * Builds the site into the folder of its purpose, unless that already has a build of the same sources. Builds in another
 * folder and renames it, so that an incomplete build is never served. Concurrent builds wait for each other.
 *
 * @param {Purpose} purpose
 * @param {{ force?: boolean, copyTo?: string }} [options] `copyTo` gets a copy that later builds leave alone
 */
export async function build(purpose, { force = false, copyTo } = {}) {
  await withLock('build', async () => {
    const fingerprint = fingerprintOf(purpose)
    const place = places[purpose]
    if (force || builtFrom(place) !== fingerprint) {
      const fresh = join(root, `.astro/build-${process.pid}`)
      await buildInto(fresh, purpose, fingerprint)
      rmSync(place, { recursive: true, force: true })
      renameSync(fresh, place)
    }
    if (copyTo && builtFrom(copyTo) !== fingerprint) {
      rmSync(copyTo, { recursive: true, force: true })
      cpSync(place, copyTo, { recursive: true })
    }
  })
}

/** The fingerprint of the sources that a complete build was made from. @param {string} directory */
function builtFrom(directory) {
  const path = join(directory, '.inputs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** @param {string} directory @param {Purpose} purpose @param {string} fingerprint */
async function buildInto(directory, purpose, fingerprint) {
  rmSync(directory, { recursive: true, force: true })
  // Runs while Astro bundles. A failed backtest is reported by the page that shows it.
  const tests = run('node', ['scripts/backtests.mjs']).catch(() => {})
  await run('astro', ['build', '--outDir', directory], { BUILD_FOR: purpose })
  await tests
  // Written last: an interrupted build has no fingerprint.
  writeFileSync(join(directory, '.inputs'), `${fingerprint}\n`)
}

/** @param {Purpose} purpose */
function fingerprintOf(purpose) {
  // The copyright line names the year of the build.
  const hash = createHash('sha256').update(`${purpose} ${new Date().getFullYear()}`)
  const paths = new Set([...inputs, ...evidence()].flatMap((input) => filesIn(input)))
  for (const path of [...paths].sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`\n${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The tests whose source code the claim pages show. */
function evidence() {
  return filesIn('src/content/claims').flatMap((path) => {
    const named = readFileSync(join(root, path), 'utf8').matchAll(/^[\s-]*file: *['"]?([^'"\s]+)/gm)
    return [...named].map(([, file = '']) => file)
  })
}

/** @param {string} path relative to the root @returns {string[]} */
function filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(`${path}/${name}`))
}

// `npm run build -- --force` builds although nothing changed.
if (isMain(import.meta.url))
  await runCommand(() =>
    build(process.argv.includes('--development') ? 'development' : 'production', {
      force: process.argv.includes('--force'),
    }),
  )
