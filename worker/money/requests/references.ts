import { type SQL, sql } from 'drizzle-orm'
import type { Network } from '../../../src/contract/money/coins.ts'
import { parseReference, toReferenceKey, toSearchKeys } from '../../../src/contract/money/references.ts'
import { refuseField } from '../../lib/errors.ts'

/** A payment's canonical reference on this network, or at a bank if `network` is null. Refuses an invalid one. */
export function parseReferenceOrRefuse(network: Network | null, typed: string, field = 'reference'): string {
  const { reference, problem } = parseReference(network, typed)
  return reference ?? refuseField(field, problem)
}

/**
 * SQL: whether a row's `reference_key` is the same payment: the same reference, the whole transaction of an output, or any
 * output of a transaction. `request_events_payment_once` has the same rule.
 */
export function isSamePayment(reference: string): SQL {
  const key = toReferenceKey(reference)
  const whole = /^[0-9a-f]{64}/.exec(key)?.[0]
  if (whole === undefined) return sql`reference_key = ${key}`
  return whole === key ? isTransaction(key) : sql`reference_key IN (${key}, ${whole})`
}

/** SQL: whether a row's `reference_key` matches a search. A transaction also matches its outputs. */
export function isKeySearched(query: string): SQL {
  const [transaction, bank] = toSearchKeys(query)
  return /^[0-9a-f]{64}$/.test(transaction)
    ? isTransaction(transaction)
    : sql`reference_key IN (${transaction}, ${bank})`
}

/** A searched transaction id in stored form. */
export function parseSearchedTransaction(query: string): string {
  return toSearchKeys(query)[0]
}

// `;` follows `:`, so the range holds the transaction and its outputs.
function isTransaction(id: string): SQL {
  return sql`reference_key >= ${id} AND reference_key < ${`${id};`}`
}
