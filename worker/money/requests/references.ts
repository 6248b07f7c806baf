import { type SQL, sql } from 'drizzle-orm'
import type { Network } from '../../../src/contract/money/coins.ts'
import { parseReference, referenceKey, searchedKeys } from '../../../src/contract/money/references.ts'
import { refuseField } from '../../lib/errors.ts'

/** The canonical form of a payment's reference on this network, or at a bank (null). Refuses the field otherwise. */
export function referenceOrRefuse(network: Network | null, typed: string, field = 'reference'): string {
  const { reference, problem } = parseReference(network, typed)
  return reference ?? refuseField(field, problem)
}

/**
 * Whether a row's `reference_key` is this payment's: the same reference, the whole transaction where it is one output of it,
 * or any output where it is the whole transaction. `request_events_payment_once` decides by the same rule.
 */
export function isSamePayment(reference: string): SQL {
  const key = referenceKey(reference)
  const whole = /^[0-9a-f]{64}/.exec(key)?.[0]
  if (whole === undefined) return sql`reference_key = ${key}`
  return whole === key ? isTransaction(key) : sql`reference_key IN (${key}, ${whole})`
}

/** Whether a row's `reference_key` is what somebody searches for. A transaction finds its outputs too. */
export function isKeySearched(query: string): SQL {
  const [transaction, bank] = searchedKeys(query)
  return /^[0-9a-f]{64}$/.test(transaction)
    ? isTransaction(transaction)
    : sql`reference_key IN (${transaction}, ${bank})`
}

/** A transaction id that somebody searches for, as an investor's is stored: in lower case, before this version also with 0x. */
export function transactionSearched(query: string): string {
  return searchedKeys(query)[0]
}

// `;` follows `:`, so the range holds the transaction and its outputs.
function isTransaction(id: string): SQL {
  return sql`reference_key >= ${id} AND reference_key < ${`${id};`}`
}
