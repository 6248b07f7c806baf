// `npm run brand`: writes what depends on src/content/site.json and is not drawn or written by the build: the accent's shades into
// src/design/tokens.css, names, domain and mail sender into wrangler.toml. Prints the contrast of the accent and refuses one that
// is too low. Lists the parts that are still a sample. Does not change files that are up to date.
//   --logo logo.svg   first takes the logo from a picture, and writes it into src/content/site.json
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { siteContent } from '../src/content/schemas.ts'
import { isCloseToDanger, measureAccent, writeAccent, writeInstallation } from './brand/files.ts'
import { readLogo } from './brand/logo.ts'
import { describeFindings, findProblems } from './launch/checks.ts'
import { readProject } from './launch/facts.ts'
import { root, runCommand } from './toolchain.mjs'

const SITE = 'src/content/site.json'
/** @type {Record<string, string>} */
const COLOURS = { ink: 'text', action: 'mark', 'action-text': 'coloured text', 'on-action': 'text' }
/** @type {Record<string, string>} */
const GROUNDS = {
  paper: 'the page',
  surface: 'a panel',
  sunken: 'a sunken area',
  action: 'a button',
  'action-strong': 'a pressed button',
  'action-tint': 'a tinted area',
}

const { values: options } = parseArgs({ options: { logo: { type: 'string' } } })

await runCommand(async () => {
  const content = JSON.parse(read(SITE))
  if (options.logo !== undefined) content.logo = readLogo(readFileSync(resolve(options.logo), 'utf8'))
  const site = checkSite(content)
  const css = writeAccent(read('src/design/tokens.css'), site.accent)
  const contrasts = measureAccent(css)
  console.log('Contrast of the accent, with the least that WCAG 2.2 allows:')
  for (const { colour, ground, theme, least, measured } of contrasts)
    console.log(
      `  ${measured < least ? '✗' : '✓'} ${theme.padEnd(5)} ${COLOURS[colour] ?? colour} on ${GROUNDS[ground] ?? ground}: ${measured.toFixed(2)} (at least ${least})`,
    )
  const tooLow = [
    ...new Set(contrasts.filter(({ least, measured }) => measured < least).map(({ theme }) => theme)),
  ]
  if (tooLow.length > 0)
    throw new Error(
      `Nothing was written. Take ${tooLow.map((theme) => `a ${theme === 'light' ? 'darker' : 'lighter'} accent for the ${theme} theme`).join(' and ')} (src/content/site.json).`,
    )
  if (/[^\x20-\xff’–—]/.test(site.brand + site.tagline))
    console.log(
      '  ! Our typefaces lack a letter of the name or tagline: add it to scripts/subset-fonts.mjs and run `npm run fonts`.',
    )
  if (isCloseToDanger(css))
    console.log('  ! The accent looks like the colour of losses and dangerous actions.')
  const changed = [
    ...(options.logo === undefined ? [] : [write(SITE, `${JSON.stringify(content, null, 2)}\n`)]),
    write('src/design/tokens.css', css),
    write('wrangler.toml', writeInstallation(read('wrangler.toml'), site)),
  ].filter((path) => path !== '')
  console.log(
    changed.length > 0 ? `Changed: ${changed.join(', ')}.` : 'Nothing changed: all is written already.',
  )
  console.log('The build draws the icons and the link previews.\n')
  await printSamples()
})

/** Refuses a wrong or missing field by its name. @param {unknown} content */
function checkSite(content) {
  const { success, data, error } = siteContent.safeParse(content)
  if (success) return data
  const findings = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new Error(`${SITE} is wrong:\n${findings.join('\n')}`)
}

async function printSamples() {
  const left = await findProblems({
    ...readProject(),
    schema: { applied: [], objects: [], rules: null },
    database: null,
    secrets: null,
    secretValues: {},
    nowMs: Date.now(),
  })
  const samples = left.filter(({ check }) => check === 'sample content' || check === 'company')
  console.log(samples.length === 0 ? 'Nothing is a sample any more.' : describeFindings(samples))
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

/** Writes a file if its text differs. @param {string} path @param {string} text @returns the path, or '' */
function write(path, text) {
  if (read(path) === text) return ''
  writeFileSync(join(root, path), text)
  return path
}
