import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const onMac = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/**
 * The path of a Chromium. Where there is none, root on a Debian gets its package.
 * Refuses, with one line that says what to install, anywhere else.
 */
export function chromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && find('apt-get')) {
    console.log('Installing Chromium for the browser tests, once.')
    /** @type {import('node:child_process').SpawnSyncOptions} */
    const quietly = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], quietly)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quietly)
  }
  const installed = findChromium()
  if (!installed) {
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    )
  }
  return installed
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
