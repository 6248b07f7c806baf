import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PRACTICE_NOTICE } from '../../../site.ts'

test('each printed page says what the banner on the screen says', () => {
  const css = readFileSync(join(import.meta.dirname, 'Statement.module.css'), 'utf8')
  expect(css).toContain(`content: "${PRACTICE_NOTICE}"`)
})
