/** A colour in OKLCH: lightness and chroma from 0 to 1, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number]

/** A colour for the light and one for the dark theme. */
export type ColourPair = readonly [light: Oklch, dark: Oklch]

/** Contrast of a colour on a background in one theme: least allowed and measured. */
export interface Contrast {
  readonly colour: string
  readonly ground: string
  readonly theme: 'light' | 'dark'
  readonly least: number
  readonly measured: number
}

const AAA = 7
const AA = 4.5
/** Marks, frames and other parts that are no text. */
const PART = 3

const GROUNDS = ['paper', 'surface', 'sunken']
/** The least contrast of the colours in tokens.css, by WCAG 2.2. */
const RULES = [
  { least: AAA, of: ['ink', 'ink-soft'], on: GROUNDS },
  { least: AAA, of: ['ink'], on: ['action-tint', 'caution-tint', 'danger-tint'] },
  { least: AA, of: ['action-text'], on: [...GROUNDS, 'action-tint'] },
  { least: AA, of: ['caution-text'], on: [...GROUNDS, 'caution-tint'] },
  { least: AA, of: ['danger-text', 'danger'], on: [...GROUNDS, 'danger-tint'] },
  { least: AA, of: ['gain'], on: ['paper', 'surface'] },
  { least: AA, of: ['on-action'], on: ['action', 'action-strong'] },
  { least: AA, of: ['on-danger'], on: ['danger', 'danger-strong'] },
  // Frames of fields, rings of focus, and marks.
  { least: PART, of: ['line-strong', 'focus', 'action', 'danger', 'caution'], on: ['paper', 'surface'] },
].flatMap(({ least, of, on }) => of.flatMap((colour) => on.map((ground) => ({ colour, ground, least }))))

/** Measures every rule in both themes for the text of tokens.css. */
export function measureContrasts(css: string): Contrast[] {
  const pairs = readPairs(css)
  const computeTokenLuminance = (name: string, theme: 0 | 1) => {
    const pair = pairs.get(name)
    if (pair === undefined) throw new Error(`tokens.css has no pair called --${name}`)
    return computeLuminance(pair[theme])
  }
  return RULES.flatMap((rule) =>
    ([0, 1] as const).map((theme) => {
      const [low = 0, high = 0] = [
        computeTokenLuminance(rule.colour, theme),
        computeTokenLuminance(rule.ground, theme),
      ].sort((a, b) => a - b)
      return {
        ...rule,
        theme: theme === 0 ? ('light' as const) : ('dark' as const),
        measured: (high + 0.05) / (low + 0.05),
      }
    }),
  )
}

/** Every colour of tokens.css that is written as a pair, by its name without `--`. */
export function readPairs(css: string): ReadonlyMap<string, ColourPair> {
  const pairs = css.matchAll(
    /--([\w-]+): light-dark\(oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\), oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)\)/g,
  )
  return new Map(
    [...pairs].map(([, name = '', ...parts]) => {
      const [l1 = 0, c1 = 0, h1 = 0, l2 = 0, c2 = 0, h2 = 0] = parts.map(Number)
      return [
        name,
        [
          [l1 / 100, c1, h1],
          [l2 / 100, c2, h2],
        ] as const,
      ]
    }),
  )
}

/** The sRGB channels of a colour, each from 0 to 255. What sRGB cannot show is clipped. */
export function toChannels(colour: Oklch): [number, number, number] {
  const [red, green, blue] = toLinear(colour)
  const encode = (value: number) =>
    255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
  return [encode(red), encode(green), encode(blue)]
}

/** Converts `#rrggbb`, by CSS Color 4. */
export function parseHex(hex: string): Oklch {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = (Math.atan2(b, a) * 180) / Math.PI
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, b), (hue + 360) % 360]
}

/** Relative luminance by WCAG 2.2. */
function computeLuminance(colour: Oklch): number {
  const [red, green, blue] = toLinear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Linear sRGB from 0 to 1: the conversion of CSS Color 4. */
function toLinear([lightness, chroma, hue]: Oklch): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  return [
    clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}
