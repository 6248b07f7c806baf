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

/** SQL: whether a row's `reference_key` matches a search: by the bank's reference, or as `matchTransactionSql` does. */
export function isKeySearched(query: string): SQL {
  const [, bank] = toSearchKeys(query)
  return sql`(${matchTransactionSql(query, sql`reference_key`)} OR reference_key = ${bank})`
}

/**
 * SQL: whether a transaction id begins with the searched text. The text needs at least eight hexadecimal digits. The outputs of the
 * transaction match, too. The condition is one range of an index.
 */
export function matchTransactionSql(query: string, column: SQL): SQL {
  // People copy shortened ids: 813a998b…04c1.
  const [id] = toSearchKeys(query.replace(/(?:…|\.{3}).*$/, ''))
  // `g` follows every digit, and the `:` before an output.
  return /^[0-9a-f]{8,64}$/.test(id)
    ? sql`(${column} >= ${id} AND ${column} < ${`${id}g`})`
    : sql`${column} = ${id}`
}

// `;` follows `:`, so the range holds the transaction and its outputs.
function isTransaction(id: string): SQL {
  return sql`reference_key >= ${id} AND reference_key < ${`${id};`}`
}
