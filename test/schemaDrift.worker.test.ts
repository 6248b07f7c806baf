import { env } from 'cloudflare:workers'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'

// The Drizzle tables in the code must match the tables that the migrations create, in both directions.

// Lookup tables that only triggers read.
const WITHOUT_CODE = [
  'account_kinds',
  'announcement_topics',
  'chain_networks',
  'custody_codes',
  'kyc_documents',
  'networks',
  'payment_transitions',
  'receipt_kinds',
  'payout_stop_causes',
  'payout_transitions',
  'plan_kinds',
  'plan_rhythms',
  'plan_run_statuses',
  'plan_transitions',
  'position_stop_statuses',
  'proposal_kinds',
  'proposal_roles',
  'request_kinds',
  'request_transitions',
  'thread_statuses',
  'transfer_codes',
  'treasury_codes',
]

const modules = import.meta.glob<Record<string, unknown>>('../worker/lib/tables/*.ts', { eager: true })
const tables = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table))

interface Column {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isKey: boolean
  readonly hasDefault: boolean
}

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1)

describe('the schema', () => {
  test('code and database have the same tables', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master
       WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
    ).all<{ name: string }>()
    const real = results.map(({ name }) => name).filter((name) => !WITHOUT_CODE.includes(name))
    expect(tables.map(({ name }) => name).sort()).toEqual(real.sort())
  })

  test.each(tables.map((table) => [table.name, table] as const))(
    '%s matches its Drizzle table',
    async (name, table) => {
      const { results } = await env.DB.prepare(`PRAGMA table_info(${name})`).all<{
        name: string
        type: string
        notnull: number
        pk: number
        dflt_value: string | null
      }>()
      const real = results.map((column) => ({
        name: column.name,
        type: column.type.toLowerCase(),
        isNullable: column.notnull === 0 && column.pk === 0,
        isKey: column.pk > 0,
        hasDefault: column.dflt_value !== null,
      }))
      const keys = table.primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name))
      const inCode = table.columns.map((column): Column => {
        const isKey = column.primary || keys.includes(column.name)
        return {
          name: column.name,
          type: column.getSQLType(),
          isNullable: !column.notNull && !isKey,
          isKey,
          // Drizzle counts a row id that SQLite assigns as a default.
          hasDefault: column.hasDefault && column.default !== undefined,
        }
      })
      expect(inCode.sort(byName)).toEqual(real.sort(byName))
    },
  )
})
