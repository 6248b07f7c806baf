// What Lighthouse says of the public pages, on its slow phone. `node bench/lighthouse.mjs [--runs 3] [path…]`
// Fails where a page is below what the site promises. Of several runs the one in the middle counts, by performance.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { chromium } from '../scripts/chromium.mjs'
import { withOwnServer } from '../scripts/own-server.mjs'
import { environment, program } from '../scripts/toolchain.mjs'

const LEAST = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
const MOST_SHIFT = 0.01
const FLAGS = '--headless=new --no-sandbox --disable-dev-shm-usage'

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '1' } },
  allowPositionals: true,
})

const browser = chromium()
const reports = mkdtempSync(join(tmpdir(), 'evenkeel-lighthouse-'))
/** @type {string[]} */
const short = []
try {
  short.push(...(await withOwnServer(measureAll)))
} finally {
  rmSync(reports, { recursive: true, force: true })
}
if (short.length > 0) {
  console.error(`\n${short.join('\n')}`)
  process.exitCode = 1
}

/** @param {string} address @returns {Promise<string[]>} where a page falls short */
async function measureAll(address) {
  /** @type {Record<string, Record<string, number>>} */
  const rows = {}
  /** @type {string[]} */
  const found = []
  for (const path of positionals.length > 0 ? positionals : await publicPages(address)) {
    const results = []
    for (let run = 0; run < Number(values.runs); run++) results.push(await measure(address + path))
    const middle = results.toSorted((a, b) => a.row.performance - b.row.performance)[results.length >> 1]
    if (middle === undefined) throw new Error(`--runs is no number of runs: ${values.runs}`)
    rows[path] = middle.row
    console.log(`${path}  ${Object.values(middle.row).join('  ')}`)
    found.push(...middle.short.map((words) => `${path}: ${words}`))
  }
  console.table(rows)
  return found
}

/** What the sitemap lists, but for the two doors, and with one claim for all: they differ in their words alone. @param {string} address */
async function publicPages(address) {
  const sitemap = await (await fetch(`${address}/sitemap.xml`)).text()
  const paths = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => new URL(loc ?? '').pathname)
  const oneClaim = paths.find((path) => path.startsWith('/claims/'))
  return paths.filter(
    (path) => !path.startsWith('/sign-') && (!path.startsWith('/claims/') || path === oneClaim),
  )
}

/** @param {string} url */
async function measure(url) {
  const file = join(reports, 'report.json')
  const parameters = [url, '--output=json', `--output-path=${file}`, '--quiet', `--chrome-flags=${FLAGS}`]
  const run = () =>
    promisify(execFile)(program('lighthouse'), parameters, { env: { ...environment, CHROME_PATH: browser } })
  // On a busy machine Chrome may lose its own trace: nothing was measured then, so it is tried once more.
  await run().catch(run)
  return rated(JSON.parse(await readFile(file, 'utf8')))
}

/** @typedef {import('lighthouse').Result['categories'][string]} Category */

/** @param {import('lighthouse').Result} report */
function rated({ categories, audits, runtimeError }) {
  if (runtimeError) throw new Error(runtimeError.message)
  const scores = Object.fromEntries(
    Object.keys(LEAST).map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  )
  const figure = (/** @type {string} */ name) => audits[name]?.numericValue ?? Number.NaN
  const shift = figure('cumulative-layout-shift')
  const row = {
    ...scores,
    CLS: Number(shift.toFixed(4)),
    'LCP ms': Math.round(figure('largest-contentful-paint')),
    'TBT ms': Math.round(figure('total-blocking-time')),
    bytes: figure('total-byte-weight'),
  }
  const short = Object.entries(LEAST)
    .filter(([name, least]) => (scores[name] ?? 0) < least)
    .map(([name]) => `${name} ${scores[name]}: ${failing(categories[name], audits)}`)
  if (!(shift <= MOST_SHIFT)) short.push(`layout shift ${shift}`)
  return { row, short }
}

/** @param {Category | undefined} category @param {import('lighthouse').Result['audits']} audits */
function failing(category, audits) {
  return (category?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} (${audits[id]?.displayValue ?? audits[id]?.title})`)
    .join(', ')
}
