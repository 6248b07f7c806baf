// Runs Lighthouse on the public pages with its slow phone. `node test/bench/lighthouse.mjs [--runs 3] [path…]`
// Fails if a page is below the thresholds. Of several runs the one with the median performance counts.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { install } from '../../scripts/install.mjs'
import { environment, root } from '../../scripts/toolchain.mjs'
import { chromium } from '../commands/chromium.mjs'
import { withOwnServer } from '../commands/own-server.mjs'

const LEAST = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
const MOST_SHIFT = 0.01
const FLAGS = '--headless=new --no-sandbox --disable-dev-shm-usage'

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '1' } },
  allowPositionals: true,
})

/** Lighthouse has its own packages, because only this benchmark needs them. */
const directory = join(root, 'test/bench/lighthouse')
await install(directory, 'Installing Lighthouse, once. This takes some seconds.', ['--ignore-scripts'])

const browser = chromium()
const reports = mkdtempSync(join(tmpdir(), 'platform-lighthouse-'))
/** @type {string[]} */
const failures = []
try {
  failures.push(...(await withOwnServer(measureAll)))
} finally {
  rmSync(reports, { recursive: true, force: true })
}
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`)
  process.exitCode = 1
}

/** @param {string} address @returns {Promise<string[]>} the failures */
async function measureAll(address) {
  /** @type {Record<string, Record<string, number>>} */
  const rows = {}
  /** @type {string[]} */
  const found = []
  for (const path of positionals.length > 0 ? positionals : await publicPages(address)) {
    const results = []
    for (let run = 0; run < Number(values.runs); run++) results.push(await measure(address + path))
    const middle = results.toSorted((a, b) => a.row.performance - b.row.performance)[results.length >> 1]
    if (middle === undefined) throw new Error(`--runs must be a number: ${values.runs}`)
    rows[path] = middle.row
    console.log(`${path}  ${Object.values(middle.row).join('  ')}`)
    found.push(...middle.failures.map((failure) => `${path}: ${failure}`))
  }
  console.table(rows)
  return found
}

/** The pages of the sitemap, without sign-in and sign-up, and with only one claim, because claims share their layout. @param {string} address */
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
    promisify(execFile)(join(directory, 'node_modules/.bin/lighthouse'), parameters, {
      env: { ...environment, CHROME_PATH: browser },
    })
  // On a busy machine Chrome may lose its trace. Nothing was measured then, so it retries once.
  await run().catch(run)
  return evaluate(JSON.parse(await readFile(file, 'utf8')))
}

/**
 * The parts of a report that are read here (https://github.com/GoogleChrome/lighthouse/blob/main/docs/understanding-results.md).
 *
 * @typedef {{ score: number | null, auditRefs: readonly { id: string, weight: number }[] }} Category
 * @typedef {{ score: number | null, numericValue?: number, displayValue?: string, title: string }} Audit
 * @typedef {{ categories: Record<string, Category>, audits: Record<string, Audit>, runtimeError?: { message: string } }} Report
 */

/** @param {Report} report */
function evaluate({ categories, audits, runtimeError }) {
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
  const failures = Object.entries(LEAST)
    .filter(([name, least]) => (scores[name] ?? 0) < least)
    .map(([name]) => `${name} ${scores[name]}: ${failedAudits(categories[name], audits)}`)
  if (!(shift <= MOST_SHIFT)) failures.push(`layout shift ${shift}`)
  return { row, failures }
}

/** @param {Category | undefined} category @param {Report['audits']} audits */
function failedAudits(category, audits) {
  return (category?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} (${audits[id]?.displayValue ?? audits[id]?.title})`)
    .join(', ')
}
