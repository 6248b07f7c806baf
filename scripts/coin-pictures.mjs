// Draws public/coins: a monogram for every coin of the sample market (its symbol in a circle, not the coin's own logo)
// and a sparkline for each trending one. The same sample gives the same files. Run it with `node scripts/coin-pictures.mjs`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { SAMPLE_COINS, SAMPLE_TRENDING } from '../worker/market/sample.ts'

const folder = new URL('../public/coins/', import.meta.url)

// Deep enough for white letters (4.5 : 1 and more), apart enough on light and on dark paper.
const FILLS = ['#0b6b53', '#2f5d8a', '#7a4a1f', '#6a4a86', '#8a3b34', '#3f6b2f', '#1f6a78', '#6b5a1f']
/** By the number of letters. */
const LETTER_SIZES = [0, 17, 14, 11.5, 9]

// Readable on both papers: an <img> can't follow the page's theme.
const GAIN = '#1f8a6d'
const LOSS = '#c4553f'

const WIDTH = 96
const HEIGHT = 32
const POINTS = 32

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const coin of SAMPLE_COINS) write(`${coin.id}.svg`, monogram(coin))
for (const coin of SAMPLE_TRENDING) write(`sparkline-${coin.id}.svg`, sparkline(coin))

/** @param {typeof SAMPLE_COINS[number]} coin */
function monogram(coin) {
  const letters = coin.symbol.toUpperCase().slice(0, 4)
  const fill = FILLS[seedOf(coin.id) % FILLS.length]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">` +
    `<circle cx="16" cy="16" r="16" fill="${fill}"/>` +
    `<text x="16" y="16" fill="#fff" font-family="Geist, system-ui, sans-serif" font-size="${LETTER_SIZES[letters.length]}" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>\n`
  )
}

/** A walk that ends as far from its beginning as the coin's change says; the walk between is made up. @param {typeof SAMPLE_TRENDING[number]} coin */
function sparkline(coin) {
  const change = coin.data.price_change_percentage_24h.usd
  const random = randomFrom(seedOf(coin.id))
  let end = 0
  const walk = [end]
  while (walk.length < POINTS) {
    end += random() - 0.5
    walk.push(end)
  }
  const bend = change / 4 - end
  const values = walk.map((value, i) => value + (bend * i) / (POINTS - 1))
  const low = Math.min(...values)
  const high = Math.max(...values)
  const points = values.map((value, i) => {
    const x = 1 + (i * (WIDTH - 2)) / (POINTS - 1)
    const y = 2 + ((high - value) / (high - low)) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<polyline points="${points.join(' ')}" fill="none" stroke="${change < 0 ? LOSS : GAIN}" stroke-width="1.5" ` +
    `stroke-linecap="round" stroke-linejoin="round"/></svg>\n`
  )
}

/** @param {string} name @param {string} svg */
function write(name, svg) {
  writeFileSync(new URL(name, folder), svg)
}

/** FNV-1a, 32 bits. @param {string} text */
function seedOf(text) {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

/** Numbers from 0 to 1 of a linear congruential generator (Numerical Recipes). @param {number} seed */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
