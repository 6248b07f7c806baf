import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Table } from './replay.ts'

export type Value = null | number | bigint | string | Uint8Array
export type Row = readonly Value[]

/** A table's rows as JSON, in the order of its key. */
export function* readRows(database: DatabaseSync, { name, columns, key }: Table): Generator<string> {
  const read = database.prepare(
    `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteName(name)} ORDER BY ${key.map(quoteName).join(', ')}`,
  )
  read.setReadBigInts(true)
  read.setReturnArrays(true)
  // The rows are arrays, but the types of node:sqlite only have objects.
  for (const row of read.iterate() as Iterable<unknown> as Iterable<Row>)
    yield JSON.stringify(row.map(toJson))
}

export function parseRow(json: string): Row {
  const values: unknown[] = JSON.parse(json)
  return values.map(parseValue)
}

/** The checksum before a row, which reveals changed, removed and moved rows. */
export function computeChecksum(table: string, index: number, json: string): string {
  return createHash('sha256').update(`${table} ${index} ${json}`).digest('hex').slice(0, 16)
}

/** A value as an SQL literal. */
export function toSqlLiteral(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return `X'${Buffer.from(value).toString('hex')}'`
  // Some tools end a text at NUL, so it is written as bytes.
  if (value.includes('\0')) return `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)`
  return `'${value.replaceAll("'", "''")}'`
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function toJson(value: Value): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) }
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}

function parseValue(value: unknown): Value {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'object' && 'integer' in value) return BigInt(String(value.integer))
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(String(value.bytes), 'base64')
  throw new Error('A row holds what no database does.')
}
