import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listMigrationNames } from '../migrate.mjs'
import { root } from '../toolchain.mjs'
import { REPLAYED, type Table } from './replay.ts'

/** Tables that a backup leaves out, and why. It contains all others. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'everybody signs in anew: a session that was ended must not come back',
  email_tokens: 'mailed links: whoever still waits asks for another',
  registrations: 'mailed links: people who were not verified yet register again',
  email_changes: 'mailed links: whoever still waits asks for another',
  withdrawal_codes: 'mailed codes of ten minutes',
  factor_recoveries: 'asked for again: one that was stopped since must not come back',
  newsletter_tokens: 'mailed links: whoever still waits subscribes again',
  passkey_challenges: 'asked and answered within minutes',
  outbox: 'mails: what was delivered is delivered, and an old one must not be sent again',
  rate_counters: 'counts of the last minutes',
  code_failures: 'wrong codes of the last week: they are counted anew',
  self_checks: 'the checks begin anew on what was restored',
  cron_work: 'how the cron’s last runs went',
  sign_in_failures: 'counts of the last weeks',
  name_tokens: 'written anew by the people that are restored',
  balance_checkpoints: 'written anew by the transfers that are restored',
  position_history: 'written anew by the movements that are restored',
  counted_books: 'counted anew from what was restored',
  decision_times: 'measured anew from what was restored',
  displays: 'prices, made again within the hour',
  market_snapshots: 'prices, asked for again within minutes',
  market_feeds: 'when prices are asked for',
  market_series: 'prices, asked for again within minutes',
  market_pictures: 'pictures of coins, fetched again when they are shown',
  current_candles: 'prices, asked for again within minutes',
  candle_feeds: 'when bars are asked for',
  bitcoin_headers: 'followed again from the checkpoint: payments that are stored keep their proofs',
  reserve_counts: 'the count begins anew',
  chain_servers: 'what servers last answered: they are asked again within a minute',
}

/** The tables of a backup, each after the tables that it refers to. */
export function readTables(database: DatabaseSync): Table[] {
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:sqlite_|_cf_|d1_)/.test(name) && !(name in LEFT_OUT))
  const references = new Map(names.map((name) => [name, readReferences(database, name)]))
  const ordered = [
    ...sortByReferences(
      names.filter((name) => !REPLAYED.includes(name)),
      references,
    ),
    ...REPLAYED,
  ]
  return ordered.map((name, place) => {
    const later = REPLAYED.includes(name) ? [] : ordered.slice(place)
    const forward = (references.get(name) ?? []).filter(({ table }) => later.includes(table))
    const required = forward.find(({ isRequired }) => isRequired)
    if (required !== undefined) throw new Error(`${name}.${required.column} cannot be restored in any order.`)
    return { ...readTable(database, name), forwardReferences: forward.map(({ column }) => column) }
  })
}

interface Reference {
  readonly column: string
  readonly table: string
  /** Whether the column is NOT NULL. */
  readonly isRequired: boolean
}

function readReferences(database: DatabaseSync, name: string): Reference[] {
  const columns = database.prepare(`PRAGMA table_info("${name}")`).all()
  return database
    .prepare(`PRAGMA foreign_key_list("${name}")`)
    .all()
    .map((reference) => {
      const column = columns.find((candidate) => candidate.name === reference.from)
      return {
        column: String(reference.from),
        table: String(reference.table),
        isRequired: Number(column?.notnull) === 1 || Number(column?.pk) > 0,
      }
    })
}

/** Orders tables after those they refer to. In a cycle, a table whose references in it may be NULL comes first. */
function sortByReferences(
  names: readonly string[],
  references: ReadonlyMap<string, readonly Reference[]>,
): string[] {
  const left = new Set(names)
  const listOpenReferences = (name: string) =>
    (references.get(name) ?? []).filter(({ table }) => table !== name && left.has(table))
  const canReach = (from: string, target: string, seen: Set<string>): boolean =>
    listOpenReferences(from).some(({ table }) => {
      if (table === target) return true
      if (seen.has(table)) return false
      return canReach(table, target, seen.add(table))
    })
  const ordered: string[] = []
  while (left.size > 0) {
    const next =
      [...left].find((name) => listOpenReferences(name).length === 0) ??
      [...left].find(
        (name) =>
          listOpenReferences(name).every(({ isRequired }) => !isRequired) && canReach(name, name, new Set()),
      )
    if (next === undefined) throw new Error(`These tables refer to each other: ${[...left].join(', ')}.`)
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}

function readTable(database: DatabaseSync, name: string): Omit<Table, 'forwardReferences'> {
  const columns = database.prepare(`PRAGMA table_info("${name}")`).all()
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  return {
    name,
    columns: columns.map((column) => String(column.name)),
    key: key.map((column) => String(column.name)),
  }
}

/** An in-memory database with only the migrations, which also insert the rule rows. */
export function createFreshDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.deserialize(buildFreshImage())
  return database
}

let freshImage: Uint8Array | undefined

/** The bytes of that database's file. The migrations are applied once in a process, because they take a tenth of a second. */
export function buildFreshImage(): Uint8Array {
  if (freshImage === undefined) {
    const database = new DatabaseSync(':memory:')
    for (const name of listMigrationNames())
      database.exec(readFileSync(join(root, 'migrations', name), 'utf8'))
    freshImage = database.serialize()
    database.close()
  }
  return freshImage
}
