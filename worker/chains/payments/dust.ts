import { type SQL, sql } from 'drizzle-orm'

/** SQL: the dust of one transaction, which the index `payments_dust` finds. `reference` is SQL of a payment's reference. */
export function selectTransactionDust(reference: SQL): SQL {
  return sql`payments d WHERE d.state = 'queued' AND d.reason = 'dust' AND substr(d.reference, 1, 64) = substr(${reference}, 1, 64)`
}

/**
 * SQL: a condition on rows of `payments`, without an alias or with the given one. Operators see one row for all dust of a transaction: the
 * first one. Strangers decide how many outputs a transaction has.
 */
export function isRepresentative(alias = 'payments'): SQL {
  const toColumnSql = (name: string) => sql.raw(`${alias}.${name}`)
  return sql`NOT (${toColumnSql('state')} = 'queued' AND ${toColumnSql('reason')} = 'dust' AND EXISTS (
    SELECT 1 FROM ${selectTransactionDust(toColumnSql('reference'))} AND d.seq < ${toColumnSql('seq')}))`
}
