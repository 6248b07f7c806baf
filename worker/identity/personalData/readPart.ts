import { toUsd } from '../../../src/contract/money.ts'
import { toIso } from '../../http/paging.ts'
import type { DisclosedTable, Field, Form, Inner, Part } from './part.ts'

/** Rows per read; only one page is in memory. */
export const PAGE = 1000

export interface Person {
  readonly id: string
  readonly email: string
}

type Row = Readonly<Record<string, unknown>>

/** The person's rows of a part, page by page. Each page is one query over an index range. */
export async function* readPart(binding: D1Database, part: Part, person: Person): AsyncGenerator<Row[]> {
  for (const owner of await readOwners(binding, part, person)) {
    let after: unknown[] | null = null
    do {
      const page: D1Result<Row> = await binding
        .prepare(buildPageQuery(part, after !== null))
        .bind(owner, ...(after ?? []))
        .all<Row>()
      yield page.results.map((row) => ({ ...formatRow(part, row), ...formatInnerRows(part, row) }))
      const last = page.results.length === PAGE ? page.results.at(-1) : undefined
      after = last === undefined ? null : part.key.map((_, i) => last[`key ${i}`])
    } while (after !== null)
  }
}

async function readOwners(binding: D1Database, part: Part, person: Person): Promise<readonly string[]> {
  const { ownedBy = 'id' } = part
  if (typeof ownedBy === 'string') return [person[ownedBy]]
  const { results } = await binding.prepare(ownedBy.each).bind(person.id).all<{ owner: string }>()
  return results.map(({ owner }) => owner)
}

/** SQL: one page of a part: the first, or the page after the key in `?2` and up. `?1` is the owner. */
export function buildPageQuery(part: Part, isNext: boolean): string {
  const keys = part.key.map((column) => `t.${column}`)
  const columns = [
    ...keys.map((key, i) => `${key} AS "key ${i}"`),
    ...Object.entries(part.fields).map(([name, field]) => `${buildExpression(field, 't')} AS "${name}"`),
    ...Object.entries(part.inner ?? {}).map(([name, inner]) => `${buildInnerQuery(inner)} AS "${name}"`),
  ]
  const conditions = [
    `t.${part.owner} = ?1`,
    ...(part.where === undefined ? [] : [part.where]),
    ...(isNext ? [`(${keys.join(', ')}) > (${keys.map((_, i) => `?${i + 2}`).join(', ')})`] : []),
  ]
  return `SELECT ${columns.join(', ')} FROM ${part.table} t WHERE ${conditions.join(' AND ')}
    ${keys.length > 0 ? `ORDER BY ${keys.join(', ')}` : ''} LIMIT ${PAGE}`
}

// One JSON column, so that the same query reads the inner rows.
function buildInnerQuery(inner: Inner): string {
  const pairs = Object.entries(inner.fields).map(
    ([name, field]) => `'${name}', ${buildExpression(field, 'n')}`,
  )
  return `(SELECT json_group_array(json_object(${pairs.join(', ')}))
    FROM (SELECT n.* FROM ${inner.table} n WHERE ${inner.of}) n)`
}

function buildExpression({ column, form, sql }: Field, alias: string): string {
  const value = sql ? sql(alias) : `${alias}.${column}`
  return form === 'given' ? `${value} IS NOT NULL` : value
}

function formatRow({ fields }: DisclosedTable, row: Row): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { form }]) => [name, WRITTEN[form](row[name])]),
  )
}

function formatInnerRows({ inner = {} }: Part, row: Row): Row {
  return Object.fromEntries(
    Object.entries(inner).map(([name, innerPart]) => {
      const rows = (JSON.parse(String(row[name])) as Row[]).map((innerRow) => formatRow(innerPart, innerRow))
      return [name, innerPart.single ? (rows[0] ?? null) : rows]
    }),
  )
}

const wrapNullable = (write: (value: unknown) => unknown) => (value: unknown) =>
  value === null || value === undefined ? null : write(value)

const WRITTEN: Readonly<Record<Form, (value: unknown) => unknown>> = {
  plain: wrapNullable((value) => value),
  time: wrapNullable((value) => toIso(Number(value))),
  usd: wrapNullable((value) => toUsd(Number(value))),
  millionths: wrapNullable((value) => Number(value) / 1e6),
  flag: (value) => value === 1,
  given: (value) => value === 1,
  // SQLite may have parsed the JSON of an inner row already.
  json: wrapNullable((value) => (typeof value === 'string' ? JSON.parse(value) : value)),
}
