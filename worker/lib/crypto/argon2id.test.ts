import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PACKAGE = join(import.meta.dirname, '../../../node_modules/argon2id/dist/simd.wasm')

// A module that demands its memory (import "env" "memory") at 1040 pages can not be linked to less.
const DEMANDED = Buffer.from('memory\x02\x01\x90\x08', 'latin1')
const OURS = Buffer.from('memory\x02\x01\xb1\x02', 'latin1')

test('argon2id.wasm is the module of the package, but demands 305 pages of memory instead of 1040', () => {
  const expected = readFileSync(PACKAGE)
  const at = expected.indexOf(DEMANDED)
  expect(at).toBeGreaterThan(0)
  OURS.copy(expected, at)
  expect(readFileSync(join(import.meta.dirname, 'argon2id.wasm')).equals(expected)).toBe(true)
})
