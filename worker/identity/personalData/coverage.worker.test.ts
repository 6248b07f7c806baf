import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { PERSONAL_DATA } from './list.ts'
import { NOT_PERSONAL, WITHHELD_TABLES } from './notPersonal.ts'
import type { DisclosedTable } from './part.ts'
import { buildPageQuery } from './readPart.ts'

// Compares the registered tables and columns with the schema: a new one fails here until it is registered as personal data or
// withheld.

const shown: readonly (DisclosedTable & { readonly place: string })[] = PERSONAL_DATA.flatMap((part) => [
  { ...part, place: part.name },
  ...Object.entries(part.inner ?? {}).map(([name, inner]) => ({ ...inner, place: `${part.name}.${name}` })),
])

async function tables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master
     WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

async function columnsOf(table: string): Promise<string[]> {
  const { results } = await env.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>()
  return results.map(({ name }) => name)
}

test('every table of the database is in the file, or listed with the reason why not', async () => {
  const left = Object.keys({ ...NOT_PERSONAL, ...WITHHELD_TABLES })
  const named = [...new Set(shown.map(({ table }) => table)), ...left]
  expect(named.sort()).toEqual((await tables()).sort())
})

test('a table that refers to a person is in the file', async () => {
  for (const table of Object.keys(NOT_PERSONAL)) {
    const { results } = await env.DB.prepare(`PRAGMA foreign_key_list(${table})`).all<{ table: string }>()
    expect([table, results.filter((key) => key.table === 'users')]).toEqual([table, []])
    const owners = (await columnsOf(table)).filter((name) =>
      /^(?:user_id|investor|owner|email|invitee|referrer)$/.test(name),
    )
    expect([table, owners]).toEqual([table, []])
  }
})

test('every column of these tables is in the file, or withheld with a reason', async () => {
  for (const { place, table, fields, withheld } of shown) {
    const used = Object.values(fields).flatMap(({ column }) => column ?? [])
    const named = [...used, ...Object.keys(withheld)].sort()
    expect([place, named]).toEqual([place, (await columnsOf(table)).sort()])
    for (const reason of Object.values(withheld)) expect(reason.length).toBeGreaterThan(10)
  }
})

test('every page is a range of an index: no table is read from end to end', async () => {
  for (const part of PERSONAL_DATA) {
    for (const isFurther of part.key.length > 0 ? [false, true] : [false]) {
      const parameters = ['somebody', ...(isFurther ? part.key : [])]
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${buildPageQuery(part, isFurther)}`)
        .bind(...parameters)
        .all<{ detail: string }>()
      const scans = results.map(({ detail }) => detail).filter((detail) => /^SCAN (?!d\b|n\b)/.test(detail))
      expect([part.name, scans]).toEqual([part.name, []])
    }
  }
})
