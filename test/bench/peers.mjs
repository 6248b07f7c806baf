// How much JavaScript each signed-in page loads at first, compared with similar applications. Builds the site if needed.
// `node test/bench/peers.mjs`
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from '../../scripts/build.mjs'
import { root } from '../../scripts/toolchain.mjs'

/** Initial JavaScript in brotli kilobytes, measured elsewhere and not by this script. */
const PEERS = { 'FreqUI (trading dashboard, Vue)': 284, 'Oxide console (React)': 162 }

await build('production')
const site = join(root, 'dist')
/** @type {Map<string, { bytes: number, imports: string[] }>} */
const known = new Map()

/** @type {Record<string, { KB: number, files: number, 'KB not on the overview': number }>} */
const rows = {}
const overview = scriptsOf('dashboard/overview.html')
for (const area of ['dashboard', 'operator']) {
  for (const name of readdirSync(join(site, area)).sort()) {
    const scripts = scriptsOf(`${area}/${name}`)
    rows[`/${area}/${name.replace('.html', '')}`] = {
      KB: kilobytes(scripts),
      files: scripts.size,
      'KB not on the overview': kilobytes([...scripts].filter((script) => !overview.has(script))),
    }
  }
}
console.table(rows)
console.table(Object.fromEntries(Object.entries(PEERS).map(([name, KB]) => [name, { KB }])))

/** The scripts that a page names, and all that they import. @param {string} page @returns {Set<string>} */
function scriptsOf(page) {
  const named = readFileSync(join(site, page), 'utf8').matchAll(/\/_astro\/[^"']+\.js/g)
  const found = new Set([...named].map(([url]) => url))
  for (const url of found) for (const imported of scriptAt(url).imports) found.add(imported)
  return found
}

/** @param {string} url */
function scriptAt(url) {
  const before = known.get(url)
  if (before) return before
  const code = readFileSync(join(site, url), 'utf8')
  const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.(\/[^"]+\.js)"/g)].map(
    ([, name]) => `/_astro${name}`,
  )
  const script = { bytes: brotliCompressSync(code).length, imports }
  known.set(url, script)
  return script
}

/** @param {Iterable<string>} scripts */
function kilobytes(scripts) {
  const bytes = [...scripts].reduce((sum, url) => sum + scriptAt(url).bytes, 0)
  return Number((bytes / 1024).toFixed(1))
}
