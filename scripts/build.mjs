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
import { pathToFileURL } from 'node:url'
import { withLock } from './lock.mjs'
import { root, runSilently } from './toolchain.mjs'

/** @typedef {'production' | 'development'} Purpose the development pages are only in a build for development */

// Apart from each other, so that what is deployed was never built for development.
const places = { production: join(root, 'dist'), development: join(root, '.astro/development') }
/** Everything that can change what the build writes. */
const inputs = [
  'src',
  'engine',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/integrations',
]

/**
 * Builds the site into the place of its purpose, unless that already holds what today's sources give. The build is made
 * elsewhere and then put there, so that nobody ever sees half of one, and two builds at once wait for each other.
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

/** The fingerprint a built site carries, if it is whole. @param {string} directory */
function builtFrom(directory) {
  const path = join(directory, '.inputs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** @param {string} directory @param {Purpose} purpose @param {string} fingerprint */
async function buildInto(directory, purpose, fingerprint) {
  rmSync(directory, { recursive: true, force: true })
  // Beside the bundling. What fails in it fails in the pages too, which say so.
  const tests = runSilently('node', ['scripts/backtests.mjs']).catch(() => {})
  await runSilently('astro', ['build', '--outDir', directory], { BUILD_FOR: purpose })
  await tests
  // Written last: a build that was cut short never counts as one.
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

/** The tests whose sources the pages of the claims show. */
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const purpose = process.argv.includes('--development') ? 'development' : 'production'
  build(purpose, { force: true }).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
