// Draws public/coins: a monogram for each coin of the sample market (its symbol in a circle, not the coin's own logo), a sparkline
// for each trending coin, and a placeholder for other coins. The same sample gives the same files. Run it with
// `node scripts/coin-pictures.mjs`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { renderSparkline } from '../worker/investing/market/sparkline.ts'
import { deriveSeed, SAMPLE_COINS, SAMPLE_TRENDING } from '../worker/lib/market/sample.ts'

const folder = new URL('../public/coins/', import.meta.url)

// White letters have a contrast of at least 4.5 : 1 on each.
const FILLS = ['#0b6b53', '#2f5d8a', '#7a4a1f', '#6a4a86', '#8a3b34', '#3f6b2f', '#1f6a78', '#6b5a1f']
/** Font sizes by the number of letters. */
const LETTER_SIZES = [0, 17, 14, 11.5, 9]

/** For coins without a picture. */
const UNKNOWN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#66727f"/>' +
  '<circle cx="16" cy="16" r="6.5" fill="none" stroke="#fff" stroke-width="2"/></svg>\n'

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const coin of SAMPLE_COINS) write(`${coin.id}.svg`, drawMonogram(coin))
for (const coin of SAMPLE_TRENDING) write(`sparkline-${coin.id}.svg`, renderSparkline(coin.data.series))
write('unknown.svg', UNKNOWN)

/** @param {typeof SAMPLE_COINS[number]} coin */
function drawMonogram(coin) {
  const letters = coin.symbol.toUpperCase().slice(0, 4)
  const fill = FILLS[deriveSeed(coin.id) % FILLS.length]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">` +
    `<circle cx="16" cy="16" r="16" fill="${fill}"/>` +
    `<text x="16" y="16" fill="#fff" font-family="Geist, system-ui, sans-serif" font-size="${LETTER_SIZES[letters.length]}" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>\n`
  )
}

/** @param {string} name @param {string} svg */
function write(name, svg) {
  writeFileSync(new URL(name, folder), svg)
}
