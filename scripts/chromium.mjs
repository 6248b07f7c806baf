import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const shell = 'chromium-headless-shell'
const onMac = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/**
 * The path of Chromium's headless shell, or of a whole Chromium if there is none. The shell opens a page in a third of the
 * time and is Playwright's default. On Debian, root gets its package installed.
 */
export function headlessChromium() {
  return process.env.CHROMIUM_PATH || find(shell) || installed(shell, () => find(shell)) || chromium()
}

/**
 * The path of a Chromium. If there is none, root on Debian gets its package installed; others get an error that says what to
 * install.
 */
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
