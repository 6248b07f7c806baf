import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isCloseToDanger, measureAccent, writeAccent, writeInstallation } from '../scripts/brand/files.ts'
import { readLogo } from '../scripts/brand/logo.ts'
import { readSetting } from '../scripts/settingsFile.mjs'
import { root } from '../scripts/toolchain.mjs'
import { siteContent } from '../src/content/schemas.ts'
import { site } from '../src/site.ts'

const css = readFileSync(join(root, 'src/design/tokens.css'), 'utf8')
const toml = readFileSync(join(root, 'wrangler.toml'), 'utf8')
/** The settings before the database was created. */
const blank = toml.replace(/database_id = "[^"]*"/g, 'database_id = "00000000-0000-0000-0000-000000000000"')
const OTHER = {
  ...site,
  brand: 'Søren & Sons',
  slug: 'soren',
  origin: 'https://invest.soren.example',
  mailSender: 'mail@soren.example',
}

test('`npm run brand` has been run since src/content/site.json changed', () => {
  expect(writeAccent(css, site.accent)).toBe(css)
  expect(writeInstallation(toml, site)).toBe(toml)
})

test('another brand names both installations, their addresses and their senders', () => {
  const written = writeInstallation(blank, OTHER)
  const read = (header: string, key: string) => readSetting(written, header, key)
  expect(read('', 'name')).toBe('"soren"')
  expect(read('', 'routes')).toBe('[{ pattern = "invest.soren.example", custom_domain = true }]')
  expect(read('[vars]', 'PUBLIC_ORIGIN')).toBe('"https://invest.soren.example"')
  expect(read('[vars]', 'MAIL_FROM')).toBe('"Søren & Sons <mail@soren.example>"')
  expect(read('[[d1_databases]]', 'database_name')).toBe('"soren"')
  expect(read('[[r2_buckets]]', 'bucket_name')).toBe('"soren-files"')
  expect(read('[env.staging]', 'routes')).toContain('"staging.invest.soren.example"')
  expect(read('[env.staging.vars]', 'PUBLIC_ORIGIN')).toBe('"https://staging.invest.soren.example"')
  expect(read('[env.staging.vars]', 'MAIL_FROM')).toBe('"Søren & Sons staging <mail@soren.example>"')
  expect(read('[[env.staging.d1_databases]]', 'database_name')).toBe('"soren-staging"')
  expect(read('[[env.staging.r2_buckets]]', 'bucket_name')).toBe('"soren-files-staging"')
  expect(writeInstallation(written, OTHER)).toBe(written)
})

test('an installation that exists keeps its names, and only its address and sender change', () => {
  const id = '8c2f3f0e-7d7c-4a53-9f0c-0f6a2f2f9d11'
  const created = blank.replace(/database_id = "[0-]+"/, `database_id = "${id}"`)
  const written = writeInstallation(created, OTHER)
  for (const [header, key] of [
    ['', 'name'],
    ['[[d1_databases]]', 'database_name'],
    ['[[r2_buckets]]', 'bucket_name'],
  ] as const)
    expect(readSetting(written, header, key)).toBe(readSetting(blank, header, key))
  expect(readSetting(written, '[vars]', 'PUBLIC_ORIGIN')).toBe('"https://invest.soren.example"')
})

test.each([
  { accent: { light: '#ffcc00', dark: '#5fcaa8' }, themes: ['light'] },
  { accent: { light: '#006a4e', dark: '#1b3a5c' }, themes: ['dark'] },
  { accent: { light: '#7a2f8f', dark: '#d6a5e3' }, themes: [] },
  { accent: { light: '#000000', dark: '#ffffff' }, themes: [] },
])(
  'the accent $accent.light in light and $accent.dark in dark is too faint in: $themes',
  ({ accent, themes }) => {
    const contrasts = measureAccent(writeAccent(css, accent))
    const tooLow = contrasts.filter(({ least, measured }) => measured < least).map(({ theme }) => theme)
    expect([...new Set(tooLow)]).toEqual(themes)
  },
)

test('an accent like the colour of losses is pointed out', () => {
  expect(isCloseToDanger(css)).toBe(false)
  expect(isCloseToDanger(writeAccent(css, { light: '#a8321f', dark: '#ef8c78' }))).toBe(true)
})

const picture = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0,0,10,10">${inside}</svg>`

test('the logo is read from a picture: grey shapes have the colour of text, others the accent', () => {
  const logo = readLogo(
    picture(
      '<g stroke="#006a4e" fill="none"><line x1="1" x2="9" y1="2" y2="2" stroke-width="2"/></g><rect x="1" y="4" width="3" height="2"/>',
    ),
  )
  expect(logo).toEqual({
    viewBox: '0 0 10 10',
    shapes: [
      { path: 'M1 2L9 2', colour: 'accent', line: 2 },
      { path: 'M1 4h3v2h-3Z', colour: 'ink' },
    ],
  })
  expect(siteContent.safeParse({ ...site, logo }).success).toBe(true)
})

test.each([
  ['<text>Name</text>', 'Convert it to paths'],
  ['<image href="logo.png"/>', 'Convert it to paths'],
  ['<path d="M0 0h1" fill="url(#shade)"/>', 'without gradients'],
  ['<path d="M0 0h1" transform="rotate(3)"/>', 'Flatten the drawing'],
  ['<path d="M0 0h1" fill="#ffffff"/>', 'a white shape'],
  ['<title>Nothing</title>', 'has no shape'],
  ['<path', 'is not an SVG picture'],
])('a logo of %s is refused, with what to do', (inside, words) => {
  expect(() => readLogo(picture(inside))).toThrow(words)
})

test.each(['A "quoted" name', 'Evil <mail@evil.example>', 'Two\nlines', 'Comma, Inc'])(
  'the name %j is refused, because it would break the sender of mails',
  (brand) => expect(siteContent.safeParse({ ...site, brand }).success).toBe(false),
)
