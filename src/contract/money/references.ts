import * as z from 'zod/mini'
import { refuseValue } from '../common.ts'
import { requiredText } from '../fields.ts'
import { getNetworkFacts, type Network } from './coins.ts'

/** The longest input: room for an id and the text that people paste with it. */
export const LONGEST_REFERENCE = 200
/** The longest bank reference: the remittance information of a bank transfer (ISO 20022). */
const MAX_BANK_REFERENCE = 140

/** A payment's canonical reference, or the error. */
export type ParsedReference =
  | { readonly reference: string; readonly problem: null }
  | { readonly reference: null; readonly problem: string }

/**
 * Parses a payment's reference into its canonical form, so that one payment has one spelling.
 *
 * - On a network: the transaction id, 64 characters from 0 to 9 and a to f, in lower case. A leading `0x` is dropped.
 * - On Bitcoin and ERC-20, `:` and the number of the output or of the log may follow, because one transaction can pay
 *   several investors. Without it the whole transaction is meant. The database credits either the whole transaction or single outputs, never both.
 * - For a bank (`network` is null): letters A to Z, in upper case, digits, blanks and `/ - ? : ( ) . , ' + _ #`. Text
 *   that reads as a transaction id is one.
 *
 * Invisible characters are dropped; full-width and other compatibility forms are folded (NFKC). Everything else is
 * refused: links, digits of other scripts, look-alike letters.
 */
export function parseReference(network: Network | null, typed: string): ParsedReference {
  const text = stripInvisible(typed)
  if (/:\/\/|^www\./i.test(text)) return toInvalidReference(LINK)
  return network === null ? parseBankReference(text) : parseTransaction(network, text)
}

/** The canonical form of a reference, or the input if it has none. */
export function normalizeReference(network: Network | null, typed: string): string {
  return parseReference(network, typed).reference ?? typed
}

/**
 * The key that references are compared by. Only for canonical references: a transaction is its own key, a bank's
 * reference becomes its letters and digits, with a prefix that no transaction has.
 */
export function toReferenceKey(reference: string): string {
  return TRANSACTION.test(reference) ? reference : `${BANK}${takeLettersAndDigits(reference)}`
}

/** The keys under which a searched reference may be stored: as a transaction, and as a bank's reference. */
export function toSearchKeys(text: string): readonly [transaction: string, bank: string] {
  // Bitcoin's format includes those of the other networks.
  const plain =
    parseReference('btc', text).reference ??
    stripInvisible(text).replace(/\s/g, '').toLowerCase().replace(/^0x/, '')
  return [plain, `${BANK}${takeLettersAndDigits(plain)}`]
}

/** A reference field for a form that knows the network. Returns the canonical form. */
export function createReferenceField(network: Network | null, empty: string) {
  return z.pipe(
    referenceField(empty),
    z.transform((value, context) => {
      const { reference, problem } = parseReference(network, value)
      return reference ?? refuseValue(context, problem)
    }),
  )
}

/** References are compared by their visible characters, so invisible ones are dropped instead of refused. */
/* @__NO_SIDE_EFFECTS__ */
function visibleText(empty: string) {
  return z.pipe(z.string({ error: empty }), z.transform(stripInvisible))
}

/** A reference field as typed, for callers that learn the network later. It must have a visible character. */
export function referenceField(empty: string) {
  return z.pipe(visibleText(empty), requiredText(empty, LONGEST_REFERENCE)).check(
    z.refine((value) => takeLettersAndDigits(stripInvisible(value).replace(/^(0x\s*)+$/i, '')) !== '', {
      error: empty,
    }),
  )
}

const BANK = 'bank:'
const TRANSACTION = /^[0-9a-f]{64}(?::\d+)?$/
/** The number of an output or of a log is an unsigned integer of 32 bits. */
const MAX_OUTPUT = 4_294_967_295

const LINK = 'Please paste the transaction id or reference alone, not a link'
function describeTransactionProblem(network: Network): string {
  const { hasOutputs, label } = getNetworkFacts(network)
  const problem = `A transaction id on ${label} has 64 characters from 0 to 9 and a to f`
  if (!hasOutputs) return problem
  return `${problem}. A colon and the number of the ${network === 'btc' ? 'output' : 'log'} may follow`
}

function parseTransaction(network: Network, text: string): ParsedReference {
  const match = /^(?:0x)?([0-9a-f]{64})(?::([0-9]+))?$/i.exec(text.replace(/\s/g, ''))
  const [, id, output] = match ?? []
  if (id === undefined || (output !== undefined && !getNetworkFacts(network).hasOutputs))
    return toInvalidReference(describeTransactionProblem(network))
  if (output === undefined) return toValidReference(id.toLowerCase())
  if (Number(output) > MAX_OUTPUT) return toInvalidReference(describeTransactionProblem(network))
  return toValidReference(`${id.toLowerCase()}:${Number(output)}`)
}

function parseBankReference(text: string): ParsedReference {
  if (!/^[A-Za-z0-9 /?:().,'+_#-]+$/.test(text))
    return toInvalidReference(
      "Please use letters from A to Z, digits, blanks and / - ? : ( ) . , ' + _ # only",
    )
  const transaction = /^(?:0x)?([0-9a-f]{64})$/.exec(takeLettersAndDigits(text))?.[1]
  if (transaction !== undefined) return toValidReference(transaction)
  if (text.length > MAX_BANK_REFERENCE)
    return toInvalidReference(`Please use at most ${MAX_BANK_REFERENCE} characters`)
  return takeLettersAndDigits(text) === ''
    ? toInvalidReference('Please give a reference with letters or digits')
    : toValidReference(text.toUpperCase())
}

/** Drops invisible characters, folds compatibility forms and collapses blanks. */
function stripInvisible(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function takeLettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function toValidReference(reference: string): ParsedReference {
  return { reference, problem: null }
}

function toInvalidReference(problem: string): ParsedReference {
  return { reference: null, problem }
}
