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

const dist = join(root, 'dist')
/** Everything that can change what the build writes. */
const inputs = [
  'src',
  'engine',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'scripts/api-page-script.mjs',
]

/**
 * Builds the site into dist, unless dist already holds what today's sources give. The build is made elsewhere and
 * then put in its place, so that nobody ever sees half of one, and two builds at once wait for each other.
 *
 * @param {{ force?: boolean, copyTo?: string }} [options] `copyTo` gets a copy that later builds leave alone
 */
export async function build({ force = false, copyTo } = {}) {
  await withLock('build', async () => {
    const fingerprint = fingerprintOfInputs()
    if (force || builtFrom(dist) !== fingerprint) {
      const fresh = join(root, `.astro/build-${process.pid}`)
      await buildInto(fresh, fingerprint)
      rmSync(dist, { recursive: true, force: true })
      renameSync(fresh, dist)
    }
    if (copyTo && builtFrom(copyTo) !== fingerprint) {
      rmSync(copyTo, { recursive: true, force: true })
      cpSync(dist, copyTo, { recursive: true })
    }
  })
}

/** The fingerprint a built site carries, if it is whole. @param {string} directory */
function builtFrom(directory) {
  const path = join(directory, '.inputs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** @param {string} directory @param {string} fingerprint */
async function buildInto(directory, fingerprint) {
  rmSync(directory, { recursive: true, force: true })
  await runSilently('astro', ['build', '--outDir', directory])
  // Written last: a build that was cut short never counts as one.
  writeFileSync(join(directory, '.inputs'), `${fingerprint}\n`)
}

function fingerprintOfInputs() {
  // The copyright line names the year of the build.
  const hash = createHash('sha256').update(String(new Date().getFullYear()))
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
  build({ force: true }).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
