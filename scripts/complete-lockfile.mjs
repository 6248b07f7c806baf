// Gives every optional platform package its entry in the lockfiles. Run it after each `npm install`: `npm run lockfile`.
//
// Some registry mirrors only have one platform's binaries. npm then drops the other optional packages from the lockfile, and
// `npm ci` refuses it on every machine. Parents pin these packages to exact versions, and their names tell the platform, so the
// entries can be written without a registry.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './toolchain.mjs'

/** The project's lockfile, and those of the tests' nodes and clients and of Lighthouse. */
export const lockfiles = [
  'package-lock.json',
  'test/packages/package-lock.json',
  'test/bench/lighthouse/package-lock.json',
].map((path) => join(root, path))

/**
 * Adds an entry for each optional dependency that has none. Throws if an optional dependency is not pinned to an exact version.
 *
 * @param {{ packages: Record<string, LockEntry> }} lockfile
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, optionalDependencies?: Record<string, string>, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 */
export function completeLockfile(lockfile) {
  const packages = { ...lockfile.packages }
  for (const [parentPath, parent] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (isInstalledFor(parentPath, name, packages)) continue
      if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`${name} is not pinned: ${version}`)
      const { cpu, libc, os } = parsePlatform(name)
      const entry = { version, cpu, dev: parent.dev, libc, optional: true, os }
      packages[`node_modules/${name}`] = JSON.parse(JSON.stringify(entry))
    }
  }
  return { ...lockfile, packages: sortByPath(packages) }
}

/** @param {string} parentPath @param {string} name @param {Record<string, LockEntry>} packages */
function isInstalledFor(parentPath, name, packages) {
  for (let base = parentPath; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
    if (`${base ? `${base}/` : ''}node_modules/${name}` in packages) return true
    if (base === '') return false
  }
}

const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
  windows: 'win32',
}

/** npm's `os`, `cpu` and `libc` fields, read from a name such as `cli-linux-arm64-musl`. @param {string} name */
function parsePlatform(name) {
  const words = name.split('/').at(-1)?.split('-') ?? []
  if (words.includes('wasm32')) return { cpu: ['wasm32'], libc: undefined, os: undefined }
  const at = words.findIndex((word) => word in systems)
  const system = systems[/** @type {keyof typeof systems} */ (words[at])]
  const cpu = words[at + 1]
  if (system === undefined || cpu === undefined) throw new Error(`${name} does not name its platform`)
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined
  return { cpu: [cpu === '64' || cpu === 'amd64' ? 'x64' : cpu], libc, os: [system] }
}

/** @param {Record<string, LockEntry>} packages */
function sortByPath(packages) {
  return Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
}

if (isMain(import.meta.url)) {
  for (const path of lockfiles) {
    const lockfile = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, `${JSON.stringify(completeLockfile(lockfile), null, 2)}\n`)
  }
}
