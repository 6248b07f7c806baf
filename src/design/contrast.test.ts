import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measureContrasts } from './colours.ts'

const contrasts = measureContrasts(readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8'))

test.each(contrasts)(
  '$colour on $ground has a contrast of at least $least in the $theme theme',
  (contrast) => {
    expect(contrast.measured).toBeGreaterThanOrEqual(contrast.least)
  },
)
