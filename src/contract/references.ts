import * as z from 'zod/mini'
import { requiredText } from './text.ts'

/**
 * How references (transaction ids, a bank's) are compared: without case, blanks, characters that nobody sees and a
 * leading 0x, however often it was pasted. Two that look alike are one.
 */
export function referenceKey(reference: string): string {
  return reference
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toLowerCase()
    .replace(/^(0x)+/, '')
}

/** What a payment is known by: something must be left of it to compare. */
export function referenceField(empty: string) {
  return requiredText(empty, 200).check(z.refine((value) => referenceKey(value) !== '', { error: empty }))
}
