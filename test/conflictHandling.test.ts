import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

// OR IGNORE and OR REPLACE override conflict handling inside triggers, and an upsert hides a second write. So none of them may be
// used on tables of the ledger, custody or requests.

const root = join(import.meta.dirname, '..')

const GUARDED = [
  'accounts',
  'transfers',
  'account_kinds',
  'transfer_codes',
  'balance_checkpoints',
  'position_history',
  'custody_assets',
  'custody_balances',
  'custody_entries',
  'place_entries',
  'requests',
  'request_events',
  'request_kinds',
  'request_transitions',
  'networks',
  'deposit_details',
  'withdrawal_details',
  'credit_approvals',
  'withdrawn_approvals',
  'payout_stops',
  'withdrawn_payout_approvals',
  'proposals',
  'wallets',
  'wallet_totals',
  'decision_totals',
  'wallet_challenges',
  'wallet_proofs',
]

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const names = GUARDED.flatMap((name) => [name, camelCase(name)]).join('|')
const table = `(?:["\`\\[]|\\$\\{)?(?:${names})\\b`

const FORBIDDEN: readonly RegExp[] = [
  new RegExp(`\\b(?:INSERT|UPDATE)\\s+OR\\s+\\w+\\s+(?:INTO\\s+)?${table}`, 'gi'),
  new RegExp(`\\bREPLACE\\s+INTO\\s+${table}`, 'gi'),
  // Looks as far as the end of the statement or of its template string.
  new RegExp(`\\bINSERT\\s+INTO\\s+${table}[^;\`]*?\\bON\\s+CONFLICT\\b`, 'gi'),
  // Drizzle: looks from an insert as far as the next insert or empty line.
  new RegExp(
    `\\.insert\\(\\s*(?:${names})\\s*\\)(?:(?!\\.insert\\(|\\n\\s*\\n)[\\s\\S])*?\\.onConflict`,
    'g',
  ),
]

function forbiddenIn(text: string): string[] {
  return FORBIDDEN.flatMap((pattern) => text.match(pattern) ?? [])
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

test.each([
  'INSERT OR IGNORE INTO accounts (id) VALUES (1)',
  'insert or replace into "transfers" values (1)',
  'REPLACE INTO request_events VALUES (1)',
  'UPDATE OR IGNORE custody_balances SET balance = 1',
  'INSERT INTO requests (id) VALUES (1)\n ON CONFLICT (id) DO NOTHING',
  ['INSERT OR IGNORE INTO $', '{transfers} VALUES (1)'].join(''),
  'db.insert(requestEvents).values({ id }).onConflictDoNothing()',
  'db\n  .insert(creditApprovals)\n  .values({\n    id: 1,\n  })\n  .onConflictDoUpdate({})',
])('%s would be found', (text) => {
  expect(forbiddenIn(text)).not.toEqual([])
})

test.each([
  'INSERT INTO transfers (id) VALUES (1)',
  'INSERT INTO rate_counters (key) VALUES (1) ON CONFLICT (key) DO UPDATE SET used = 2',
  'db.insert(transfers).values({ id })\n\nconst keep = db.insert(settings).values({}).onConflictDoUpdate({})',
])('%s may stand', (text) => {
  expect(forbiddenIn(text)).toEqual([])
})

test('no statement on the ledger, custody or requests overrides how conflicts are handled', () => {
  const files = [...filesIn('worker'), ...filesIn('migrations'), ...filesIn('scripts')].filter(
    // Tests are left out: they try exactly this to see it refused.
    (path) => /\.(?:ts|mjs|sql)$/.test(path) && !/\.test\.ts$/.test(path),
  )
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((path) =>
    forbiddenIn(readFileSync(join(root, path), 'utf8')).map(
      (text) => `${relative(root, join(root, path))}: ${text}`,
    ),
  )
  expect(found).toEqual([])
})
