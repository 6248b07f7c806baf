// Runs before `npm start`, `npm test` and others, on the machine's own Node (20 or later), before packages are installed. So
// it may only import Node's modules, and files that do the same.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { isMain, root, runCommand } from './toolchain.mjs'

/** Installs the project's packages. */
async function installProject() {
  await install(root, 'Installing the packages, once. This takes about a minute.')
  if (!existsSync(join(root, 'node_modules/node/bin/node'))) {
    throw new Error(
      'The packages came without Node 24: install scripts are off (npm config get ignore-scripts).',
    )
  }
}

/**
 * Installs the packages of a lockfile if node_modules is missing or differs from it. Concurrent runs install once.
 *
 * @param {string} directory with a package.json of its own
 * @param {string} announcement what to print before
 * @param {string[]} [options] further options of `npm ci`
 */
export async function install(directory, announcement, options = []) {
  if (isInstalled(directory)) return
  await withLock('install', () => {
    if (isInstalled(directory)) return
    console.log(announcement)
    const npm = process.env.npm_execpath
    const [command, ...before] = npm ? [process.execPath, npm] : ['npm']
    const quiet = ['--loglevel=error', '--no-audit', '--no-fund']
    const { status } = spawnSync(command, [...before, 'ci', ...quiet, ...options], {
      cwd: directory,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) throw new Error('npm ci failed, see above.')
  })
}

/**
 * Whether node_modules has the packages of the lockfile, by npm's own record. Packages for other platforms are not in it.
 *
 * @param {string} directory
 */
export function isInstalled(directory) {
  const wanted = readPackages(join(directory, 'package-lock.json'))
  const present = readPackages(join(directory, 'node_modules/.package-lock.json'))
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional && !present[path]),
  )
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

if (isMain(import.meta.url)) await runCommand(installProject)
