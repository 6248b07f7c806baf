import { type Contrast, measureContrasts, type Oklch, parseHex, readPairs } from '../../src/design/colours.ts'
import type { Site } from '../../src/site.ts'
import { readSetting, updateSetting } from '../settingsFile.mjs'

type Accent = Site['accent']

/** Writes the accent and its shades into the text of tokens.css. */
export function writeAccent(css: string, { light, dark }: Accent): string {
  const [shadesInLight, shadesInDark] = [deriveLightShades(parseHex(light)), deriveDarkShades(parseHex(dark))]
  return Object.keys(shadesInLight).reduce((text, name) => {
    const pair = [shadesInLight[name], shadesInDark[name]].map((colour) => formatOklch(colour ?? [0, 0, 0]))
    return text.replace(new RegExp(`(--${name}: )light-dark\\(.*\\);`), `$1light-dark(${pair.join(', ')});`)
  }, css)
}

type Shades = Readonly<Record<string, Oklch>>

// The lightness of text, tint and frame is fixed, so that only the accent itself decides the contrast.
function deriveLightShades([lightness, chroma, hue]: Oklch): Shades {
  return {
    action: [lightness, chroma, hue],
    'action-strong': [Math.max(lightness - 0.065, 0), chroma * 0.89, hue],
    'action-text': [0.38, chroma * 0.84, hue],
    'action-tint': [0.95, Math.min(chroma * 0.22, 0.03), hue],
    'action-line': [0.83, chroma * 0.5, hue],
    'on-action': [0.99, 0.004, 95],
  }
}

function deriveDarkShades([lightness, chroma, hue]: Oklch): Shades {
  return {
    action: [lightness, chroma, hue],
    'action-strong': [Math.min(lightness + 0.07, 0.97), chroma * 0.93, hue],
    'action-text': [0.84, chroma * 0.83, hue],
    'action-tint': [0.27, Math.min(chroma * 0.39, 0.06), hue],
    'action-line': [0.41, chroma * 0.56, hue],
    'on-action': [0.19, 0.03, hue],
  }
}

function formatOklch([lightness, chroma, hue]: Oklch): string {
  const round = (value: number, digits: number) => String(Number(value.toFixed(digits)))
  return `oklch(${round(lightness * 100, 1)}% ${round(chroma, 3)} ${round(hue, 0)})`
}

/** The contrasts that the accent decides: text on buttons, and marks and text in the accent. */
export function measureAccent(css: string): Contrast[] {
  return measureContrasts(css).filter(({ colour, ground }) => `${colour} ${ground}`.includes('action'))
}

/** Whether the accent of a theme looks like the colour of losses and dangerous actions. */
export function isCloseToDanger(css: string): boolean {
  const pairs = readPairs(css)
  return ([0, 1] as const).some((theme) => {
    const [[, chroma = 0, hue = 0] = [], [, , danger = 0] = []] = [
      pairs.get('action')?.[theme],
      pairs.get('danger')?.[theme],
    ]
    const apart = Math.abs(hue - danger) % 360
    return chroma > 0.05 && Math.min(apart, 360 - apart) < 25
  })
}

/**
 * Writes the names, the domain and the mail sender into the text of wrangler.toml. The Worker, database and bucket keep their names
 * once the database exists: under another name Cloudflare would find none of them.
 */
export function writeInstallation(toml: string, { brand, slug, origin, mailSender }: Site): string {
  const host = new URL(origin).host
  const places = [
    { section: '', suffix: '', host, sender: brand },
    { section: 'env.staging', suffix: '-staging', host: `staging.${host}`, sender: `${brand} staging` },
  ]
  return places.reduce((text, { section, suffix, host, sender }) => {
    const toFullName = (name: string) => (section === '' ? name : `${section}.${name}`)
    const set = (header: string, key: string, value: string) => {
      text = updateSetting(text, header, key, value)
    }
    const header = section && `[${section}]`
    const routes = readSetting(text, header, 'routes') ?? ''
    set(header, 'routes', routes.replace(/pattern = "[^"]*"/, `pattern = "${host}"`))
    set(`[${toFullName('vars')}]`, 'PUBLIC_ORIGIN', `"https://${host}"`)
    set(`[${toFullName('vars')}]`, 'MAIL_FROM', `"${sender} <${mailSender}>"`)
    const database = `[[${toFullName('d1_databases')}]]`
    if (/[1-9a-f]/.test(readSetting(text, database, 'database_id') ?? '')) return text
    if (section === '') set('', 'name', `"${slug}"`)
    set(database, 'database_name', `"${slug}${suffix}"`)
    set(`[[${toFullName('r2_buckets')}]]`, 'bucket_name', `"${slug}-files${suffix}"`)
    return text
  }, toml)
}
