import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isInstalled } from './install.mjs'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'platform-install-'))
  mkdirSync(join(directory, 'node_modules'))
})

afterEach(() => rmSync(directory, { recursive: true }))

const wanted = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a-darwin-arm64': { version: '1.0.0', optional: true },
}

function write(path: string, packages: Record<string, { version: string; optional?: boolean }>) {
  writeFileSync(join(directory, path), JSON.stringify({ packages }))
}

it('packages count as installed when npm has recorded each that this platform needs', () => {
  write('package-lock.json', wanted)
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } })
  expect(isInstalled(directory)).toBe(true)
})

it('another version of one package calls for an installation', () => {
  write('package-lock.json', wanted)
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } })
  expect(isInstalled(directory)).toBe(false)
})

it('a fresh clone calls for an installation', () => {
  write('package-lock.json', wanted)
  expect(isInstalled(directory)).toBe(false)
})
