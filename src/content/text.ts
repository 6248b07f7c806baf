import { z } from 'astro/zod'
import { CATALOGUE } from '../../engine/catalogue.ts'
import { COIN_CHOICE } from '../contract/money/coins.ts'
import { formatCents } from '../contract/money.ts'
import { NOT_PROVIDED, site } from '../site.ts'

/** A piece of a text. With `href`, it is a link. */
export interface Piece {
  text: string
  href?: string
}

const { brand, supportEmail, provides } = site

/** The values of `{brand}` and the other names that content texts may use. */
const WORDS = {
  brand,
  supportEmail,
  coins: COIN_CHOICE,
  leastInvestment: formatCents(Math.min(...CATALOGUE.map(({ minimumCents }) => minimumCents))),
  coldStorage: provides.coldStorage ?? NOT_PROVIDED,
  staffedSupport: provides.staffedSupport ?? NOT_PROVIDED,
  otherDeposits:
    provides.bankTransfers === null && provides.cards === null
      ? 'Bank transfers and cards: not offered yet'
      : `Bank transfers: ${provides.bankTransfers ?? 'not offered yet'}. Cards: ${provides.cards ?? 'not offered yet'}`,
}

/**
 * Reads a text of the content: `[words](/page)` is a link, `{name}` is replaced by one of `words`.
 *
 * @throws RangeError if `words` has no such name
 */
export function parseLinkedText(source: string, words: Readonly<Record<string, string>> = WORDS): Piece[] {
  const filled = source.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name]
    if (word === undefined) throw new RangeError(`there is nothing to put for {${name}}`)
    return word
  })
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: whole, 1: text = '', 2: href = '', index } of filled.matchAll(LINK)) {
    if (index > from) pieces.push({ text: filled.slice(from, index) })
    pieces.push({ text, href })
    from = index + whole.length
  }
  if (from < filled.length) pieces.push({ text: filled.slice(from) })
  return pieces
}

const LINK = /\[([^\]]+)\]\(((?:\/|mailto:)[^)\s]*)\)/g

/** The same text without its links. */
export function toPlainText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** A text that may hold links and the names of `WORDS`, as `parseLinkedText` reads them. */
export const contentText = z
  .string()
  .trim()
  .min(10)
  .refine(
    (text) => [...text.matchAll(/\{(\w*)\}/g)].every(([, name = '']) => Object.hasOwn(WORDS, name)),
    `may name in braces only ${Object.keys(WORDS).join(', ')}`,
  )
  .refine(
    (text) => [...text.matchAll(/\]\(([^)]*)/g)].every(([, href = '']) => /^(?:\/|mailto:)\S*$/.test(href)),
    'may link only to paths of this site and to mailto: addresses',
  )
