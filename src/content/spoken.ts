import { z } from 'astro/zod'
import { NOT_PROVIDED, site } from '../site.ts'
import { linkedText, type Piece } from './linkedText.ts'

const { brand, supportEmail, provides } = site

/** What stands for `{brand}` and the like in the texts of the pages. */
const WORDS = {
  brand,
  supportEmail,
  coldStorage: provides.coldStorage ?? NOT_PROVIDED,
  staffedSupport: provides.staffedSupport ?? NOT_PROVIDED,
  cards: provides.cards ?? 'not offered yet',
  bankTransfers: provides.bankTransfers ?? 'not offered yet',
}

/** A text of the content as the pages show it. */
export function spoken(source: string): Piece[] {
  return linkedText(source, WORDS)
}

/** A text that may hold `[links](/fees)` and `{brand}`, `{coldStorage}` and the other words above. */
export const spokenText = z
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
