import * as z from 'zod/mini'
import { refused } from '../common.ts'
import { requiredText } from '../fields.ts'
import { type Network, networkFacts } from './coins.ts'

/** How long a reference may be as typed: room for an id with what people paste along. */
export const LONGEST_REFERENCE = 200
/** How long a bank's reference may be: what a bank transfer carries as its remittance information (ISO 20022). */
const LONGEST_BANK_REFERENCE = 140

/** A payment's reference in the one way to write it, or what is wrong with it, in a sentence for people. */
export type ParsedReference =
  | { readonly reference: string; readonly problem: null }
  | { readonly reference: null; readonly problem: string }

/**
 * Parses what a payment is known by, so that one payment has one spelling.
 *
 * - On a network: the transaction id, 64 characters from 0 to 9 and a to f, in lower case. `0x` in front is dropped.
 * - On Bitcoin, `:` and the number of the output may follow: one transaction can pay several investors. Without it, the
 *   whole transaction is meant, which the database credits only if none of its outputs was, and the other way round.
 * - A bank's (`network` is null): letters A to Z, in upper case, digits, blanks and `/ - ? : ( ) . , ' + _ #`. One that
 *   reads as a transaction id is one.
 *
 * Characters that nobody sees are dropped, full-width and other compatibility forms are folded (NFKC). Everything else
 * is refused: links, digits of other scripts, letters that only look alike.
 */
export function parseReference(network: Network | null, typed: string): ParsedReference {
  const text = visible(typed)
  if (/:\/\/|^www\./i.test(text)) return wrong(LINK)
  return network === null ? parseBankReference(text) : parseTransaction(network, text)
}

/** The canonical form of a reference, or what was typed where it has none. */
export function canonicalReference(network: Network | null, typed: string): string {
  return parseReference(network, typed).reference ?? typed
}

/**
 * What a reference is compared by. Only for one that `parseReference` gave: a transaction is its own key, a bank's
 * reference is compared by its letters and digits alone, behind a prefix that no transaction has.
 */
export function referenceKey(reference: string): string {
  return TRANSACTION.test(reference) ? reference : `${BANK}${lettersAndDigits(reference)}`
}

/**
 * The keys under which a text that somebody searches for may be stored: as a transaction, as a bank's reference, and as
 * older versions compared references.
 */
export function searchedKeys(text: string): readonly [transaction: string, bank: string] {
  // Bitcoin's form is the widest.
  const plain =
    parseReference('btc', text).reference ?? visible(text).replace(/\s/g, '').toLowerCase().replace(/^0x/, '')
  return [plain, `${BANK}${lettersAndDigits(plain)}`]
}

/** What a payment is known by, for a form that knows the network: gives the canonical form. */
export function referenceFieldOf(network: Network | null, empty: string) {
  return z.pipe(
    referenceField(empty),
    z.transform((value, context) => {
      const { reference, problem } = parseReference(network, value)
      return reference ?? refused(context, problem)
    }),
  )
}

/** What a payment is known by, as it came: which network it belongs to is known later. Something of it must be visible. */
export function referenceField(empty: string) {
  return requiredText(empty, LONGEST_REFERENCE).check(
    z.refine((value) => lettersAndDigits(visible(value).replace(/^(0x\s*)+$/i, '')) !== '', { error: empty }),
  )
}

const BANK = 'bank:'
const TRANSACTION = /^[0-9a-f]{64}(?::\d+)?$/
/** The number of an output is an unsigned integer of 32 bits. */
const MOST_OUTPUTS = 4_294_967_295

const LINK = 'Please paste the transaction id or reference alone, not a link'
const OUTPUT_PROBLEM =
  'A Bitcoin transaction id has 64 characters from 0 to 9 and a to f. A colon and the number of the output may follow'

function parseTransaction(network: Network, text: string): ParsedReference {
  const match = /^(?:0x)?([0-9a-f]{64})(?::([0-9]+))?$/i.exec(text.replace(/\s/g, ''))
  const [, id, output] = match ?? []
  const { hasOutputs, label } = networkFacts(network)
  if (id === undefined || (output !== undefined && !hasOutputs))
    return wrong(
      hasOutputs ? OUTPUT_PROBLEM : `A transaction id on ${label} has 64 characters from 0 to 9 and a to f`,
    )
  if (output === undefined) return right(id.toLowerCase())
  if (Number(output) > MOST_OUTPUTS) return wrong(OUTPUT_PROBLEM)
  return right(`${id.toLowerCase()}:${Number(output)}`)
}

function parseBankReference(text: string): ParsedReference {
  if (!/^[A-Za-z0-9 /?:().,'+_#-]+$/.test(text))
    return wrong("Please use letters from A to Z, digits, blanks and / - ? : ( ) . , ' + _ # only")
  const transaction = /^(?:0x)?([0-9a-f]{64})$/.exec(lettersAndDigits(text))?.[1]
  if (transaction !== undefined) return right(transaction)
  if (text.length > LONGEST_BANK_REFERENCE)
    return wrong(`Please use at most ${LONGEST_BANK_REFERENCE} characters`)
  return lettersAndDigits(text) === ''
    ? wrong('Please give a reference with letters or digits')
    : right(text.toUpperCase())
}

/** Without what nobody sees, compatibility forms folded, blanks as one space each. */
function visible(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function right(reference: string): ParsedReference {
  return { reference, problem: null }
}

function wrong(problem: string): ParsedReference {
  return { reference: null, problem }
}
