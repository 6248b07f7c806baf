import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrationNames } from '../migrate.mjs'
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
  failed_sign_ins: 'for the log destination, which has them by then',
  log_streams:
    'how far the log was streamed: what was restored is streamed anew, because its numbers may name other acts',
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
export function tablesOf(database: DatabaseSync): Table[] {
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:sqlite_|_cf_|d1_)/.test(name) && !(name in LEFT_OUT))
  const ordered = new Set<string>()
  const place = (name: string) => {
    if (ordered.has(name) || !names.includes(name)) return
    ordered.add(name)
    for (const { table } of database.prepare(`PRAGMA foreign_key_list("${name}")`).all()) place(String(table))
    // Moves it after the tables that it refers to, because a Set keeps the insertion order.
    ordered.delete(name)
    ordered.add(name)
  }
  for (const name of names) if (!REPLAYED.includes(name)) place(name)
  for (const name of REPLAYED) place(name)
  return [...ordered].map((name) => tableOf(database, name))
}

function tableOf(database: DatabaseSync, name: string): Table {
  const columns = database.prepare(`PRAGMA table_info("${name}")`).all()
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  return {
    name,
    columns: columns.map((column) => String(column.name)),
    key: key.map((column) => String(column.name)),
  }
}

/** An in-memory database with only the migrations, which also insert the rule rows. */
export function freshDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const name of migrationNames()) database.exec(readFileSync(join(root, 'migrations', name), 'utf8'))
  return database
}
