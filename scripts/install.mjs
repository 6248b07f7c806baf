// Runs before `npm start`, `npm test` and their like, on whatever Node the machine has (20 or later) and before
// anything is installed: so nothing is imported here but Node itself and files that keep to that too.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withLock } from './lock.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Installs the locked packages when node_modules is missing or differs from the lockfile. Two runs at once
 * install once.
 */
export async function install() {
  if (isInstalled(root)) return
  await withLock('install', () => {
    if (isInstalled(root)) return
    console.log('Installing the packages, once. This takes about a minute.')
    const npm = process.env.npm_execpath
    const [command, ...before] = npm ? [process.execPath, npm] : ['npm']
    const { status } = spawnSync(command, [...before, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) throw new Error('npm ci failed, see above.')
    if (!existsSync(join(root, 'node_modules/node/bin/node'))) {
      throw new Error(
        'The packages came without Node 24: install scripts are off (npm config get ignore-scripts).',
      )
    }
  })
}

/**
 * Whether node_modules holds what the lockfile names. npm keeps a record of what it installed; packages for other
 * platforms are not in it.
 *
 * @param {string} directory
 */
export function isInstalled(directory) {
  const wanted = packagesOf(join(directory, 'package-lock.json'))
  const present = packagesOf(join(directory, 'node_modules/.package-lock.json'))
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional && !present[path]),
  )
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  install().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
