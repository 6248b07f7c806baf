import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completeLockfile, lockfiles } from './complete-lockfile.mjs'
import { root } from './toolchain.mjs'

it('a platform package that npm left out gets an entry from its name', () => {
  const { packages } = completeLockfile({
    packages: {
      'node_modules/tool': {
        version: '1.2.3',
        dev: true,
        optionalDependencies: {
          '@tool/linux-x64-musl': '1.2.3',
          '@tool/win32-arm64-msvc': '1.2.3',
          '@tool/darwin-64': '1.2.3',
          '@tool/linux-amd64': '1.2.3',
          '@tool/wasm32-wasi': '1.2.3',
        },
      },
    },
  })
  expect(packages['node_modules/@tool/linux-x64-musl']).toEqual({
    version: '1.2.3',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
  expect(packages['node_modules/@tool/win32-arm64-msvc']).toMatchObject({ cpu: ['arm64'], os: ['win32'] })
  expect(packages['node_modules/@tool/darwin-64']).toMatchObject({ cpu: ['x64'], os: ['darwin'] })
  expect(packages['node_modules/@tool/linux-amd64']).toMatchObject({ cpu: ['x64'], os: ['linux'] })
  expect(packages['node_modules/@tool/wasm32-wasi']).toMatchObject({ cpu: ['wasm32'] })
})

it('an existing entry, beside its parent or above it, stays unchanged', () => {
  const lockfile = {
    packages: {
      'node_modules/a': { version: '1.0.0', optionalDependencies: { 'c-linux-x64': '1.0.0' } },
      'node_modules/b/node_modules/a': { version: '2.0.0', optionalDependencies: { 'c-linux-x64': '1.0.0' } },
      'node_modules/c-linux-x64': { version: '1.0.0', optional: true },
    },
  }
  expect(completeLockfile(lockfile)).toEqual(lockfile)
})

it('a platform package without an exact version is refused', () => {
  const lockfile = { packages: { 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '^1.0.0' } } } }
  expect(() => completeLockfile(lockfile)).toThrow('a-linux-x64 is not pinned: ^1.0.0')
})

/** A lockfile with fewer entries than this was not read. */
const LEAST_PACKAGES: Record<string, number> = {
  'package-lock.json': 500,
  'test/packages/package-lock.json': 100,
  'test/bench/lighthouse/package-lock.json': 80,
}

describe.each(lockfiles.map((path) => [relative(root, path), readFileSync(path, 'utf8')]))(
  '%s',
  (path, text) => {
    it('names every platform, so that npm ci takes it everywhere', () => {
      expect(completeLockfile(JSON.parse(text))).toEqual(JSON.parse(text))
    })

    it('names no registry, so that each machine uses its own', () => {
      expect(text).not.toContain('"resolved"')
    })

    it('has an integrity hash of each package for npm ci', () => {
      const { packages } = JSON.parse(text) as { packages: Record<string, { integrity?: string }> }
      const entries = Object.entries(packages).filter(([key]) => key !== '')
      expect(entries.length).toBeGreaterThan(LEAST_PACKAGES[path] ?? Number.POSITIVE_INFINITY)
      expect(
        entries.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([key]) => key),
      ).toEqual([])
    })
  },
)
