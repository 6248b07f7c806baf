import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIMULATED_NOTICE } from '../../../site.ts'

test('the foot of a printed statement says of simulated money what the pages say', () => {
  const styles = readFileSync(new URL('./Statement.module.css', import.meta.url), 'utf8')
  expect(styles).toContain(`content: "${SIMULATED_NOTICE}"`)
})
