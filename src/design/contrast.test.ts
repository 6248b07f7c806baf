import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Every colour of tokens.css that is given as a pair, by its name: `[light, dark]`, each `[L, C, h]`. */
const colours = new Map(
  [
    ...readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').matchAll(
      /--([\w-]+): light-dark\(oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\), oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)\)/g,
    ),
  ].map(([, name = '', ...parts]) => {
    const [l1 = 0, c1 = 0, h1 = 0, l2 = 0, c2 = 0, h2 = 0] = parts.map(Number)
    return [name, [luminance(l1 / 100, c1, h1), luminance(l2 / 100, c2, h2)] as const]
  }),
)

const AAA = 7
const AA = 4.5
/** What is no text, and has to be seen all the same. */
const SEEN = 3

const grounds = ['paper', 'surface', 'sunken']
const rules = [
  { least: AAA, of: ['ink', 'ink-soft'], on: grounds },
  { least: AAA, of: ['ink'], on: ['action-tint', 'caution-tint', 'danger-tint'] },
  { least: AA, of: ['action-text'], on: [...grounds, 'action-tint'] },
  { least: AA, of: ['caution-text'], on: [...grounds, 'caution-tint'] },
  { least: AA, of: ['danger-text', 'danger'], on: [...grounds, 'danger-tint'] },
  { least: AA, of: ['on-action'], on: ['action', 'action-strong'] },
  { least: AA, of: ['on-danger'], on: ['danger', 'danger-strong'] },
  // Frames of fields, rings of focus, and marks.
  { least: SEEN, of: ['line-strong', 'focus', 'action', 'danger', 'caution'], on: ['paper', 'surface'] },
].flatMap(({ least, of, on }) => of.flatMap((text) => on.map((ground) => ({ text, ground, least }))))

test.each(rules)('$text on $ground has a contrast of at least $least in both themes', (rule) => {
  for (const theme of [0, 1] as const)
    expect(contrast(rule.text, rule.ground, theme), `theme ${theme}`).toBeGreaterThanOrEqual(rule.least)
})

/** From 1 to 21, as WCAG 2.2 defines it. */
function contrast(one: string, other: string, theme: 0 | 1): number {
  const [low = 0, high = 0] = [one, other]
    .map((name) => {
      const pair = colours.get(name)
      if (pair === undefined) throw new Error(`tokens.css has no pair called --${name}`)
      return pair[theme]
    })
    .sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Relative luminance of a colour in OKLCH: the conversion of CSS Color 4, with what sRGB cannot show clipped. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const shown = (value: number) => Math.min(1, Math.max(0, value))
  return (
    0.2126 * shown(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * shown(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * shown(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  )
}
