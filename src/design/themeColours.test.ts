import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPairs, toChannels } from './colours.ts'
import { THEME_COLOURS } from './themeColours.ts'

test('the browser’s own bars have the colour of the paper, in both themes', () => {
  const paper = readPairs(readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')).get('paper')
  for (const [theme, hex] of [THEME_COLOURS.light, THEME_COLOURS.dark].entries()) {
    const colour = paper?.[theme]
    if (colour === undefined) throw new Error('tokens.css has no pair called --paper')
    const steps = toChannels(colour).map((value, index) =>
      Math.abs(value - Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16)),
    )
    expect(Math.max(...steps)).toBeLessThan(1)
  }
})
