import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const shell = 'chromium-headless-shell'
const onMac = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/**
 * The path of Chromium's headless shell, or else of Chromium. The shell is Playwright's default and opens a page in a third of
 * the time. On Debian, installs the package if run as root.
 */
export function headlessChromium() {
  return process.env.CHROMIUM_PATH || find(shell) || installed(shell, () => find(shell)) || chromium()
}

/** The path of Chromium. On Debian, installs the package if run as root. Otherwise throws an error that says what to install. */
export function chromium() {
  const found = findChromium() ?? installed('chromium', findChromium)
  if (!found) {
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    )
  }
  return found
}

/** Installs a Debian package, if possible, and looks again. @param {string} name @param {() => string | undefined} look */
function installed(name, look) {
  if (process.getuid?.() !== 0 || !find('apt-get')) return undefined
  console.log(`Installing ${name} for the browser tests, once.`)
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const quietly = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], quietly)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], quietly)
  return look()
}

function findChromium() {
  return process.env.CHROMIUM_PATH || [...names, ...onMac].map(find).find((path) => path !== undefined)
}

/** @param {string} name a program's name, or its whole path */
function find(name) {
  const folders = isAbsolute(name) ? [''] : ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
