import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THEME_COLOURS } from './themeColours.ts'

test('the browser’s own bars have the colour of the paper, in both themes', () => {
  const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
  const pair =
    /--paper: light-dark\(oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\), oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)\)/.exec(
      tokens,
    )
  const [l1 = 0, c1 = 0, h1 = 0, l2 = 0, c2 = 0, h2 = 0] = (pair ?? []).slice(1).map(Number)
  expect(apart(THEME_COLOURS.light, [l1 / 100, c1, h1])).toBeLessThan(1)
  expect(apart(THEME_COLOURS.dark, [l2 / 100, c2, h2])).toBeLessThan(1)
})

/** By how many steps of 255 the farthest channel differs. */
function apart(hex: string, [lightness, chroma, hue]: readonly [number, number, number]): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  // The conversion of CSS Color 4.
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const channels = linear.map(
    (value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055),
  )
  return Math.max(
    ...channels.map((value, index) =>
      Math.abs(value - Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16)),
    ),
  )
}
