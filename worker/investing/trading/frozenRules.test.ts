import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { REAL_TESTS } from '../../../engine/backtest/realTests.ts'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'

it('the rules tested on real prices are those that were frozen before the forward period was computed', () => {
  const rules = REAL_TESTS.map(({ slug, definition }) => `${slug} ${toCanonicalJson(definition)}\n`).join('')
  const hash = createHash('sha256').update(rules).digest('hex')
  expect(readFileSync('docs/decisions/0046-frozen-rules.md', 'utf8')).toContain(hash)
})
