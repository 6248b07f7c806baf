import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../src/time.ts'

export const FIXTURE_MS = Date.UTC(2026, 0, 5)
export const OPERATOR = 'op1'
export const OTHER = 'op2'

export type Writer = ReturnType<typeof writer>
export type Values = Record<string, null | number | bigint | string>

/** Writes rows in the order of time. */
export function writer(database: DatabaseSync) {
  let atMs = FIXTURE_MS
  const insert = (table: string, values: Values) => {
    const names = Object.keys(values)
    database
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(values))
  }
  const db = {
    insert,
    run: (sql: string) => database.exec(sql),
    /** Each event is a day after the previous one. */
    now: () => {
      atMs += DAY_MS
      return atMs
    },
    person(id: string, { role = 'investor', referredBy = null as string | null } = {}) {
      const at = db.now()
      insert('users', {
        id,
        role,
        operator_roles: role === 'operator' ? 'reviewer treasurer administrator' : '',
        email: `${id}@example.com`,
        fullname: `${id} o'neil`,
        display_name: `${id} O'Neil\nline two`,
        phone: '+441234567890',
        country: 'Åland',
        password_hash: 'x',
        created_at: at,
        referral_code: `code-${id}`,
        referred_by: referredBy,
      })
      for (const kind of role === 'investor' ? ACCOUNT_KINDS : [])
        insert('accounts', { id: `${id}:${kind}`, owner: id, kind })
    },
    act(action: string, subject: string, actor = OPERATOR) {
      const at = db.now()
      insert('audit_log', { id: `audit-${at}`, at, actor, action, subject, detail: '{"cents":100}' })
    },
    proposal(id: string, kind: string, more: Values) {
      insert('proposals', { id, kind, created_at: db.now(), proposed_by: OPERATOR, ...more })
      db.run(
        `UPDATE proposals SET status = 'approved', decided_by = '${OTHER}', decided_at = ${db.now()} WHERE id = '${id}'`,
      )
    },
    event(request: string, investor: string, status: string, more: Values = {}) {
      insert('request_events', { request, investor, status, at: db.now(), actor: OPERATOR, ...more })
      db.act(`request.${status}`, request)
    },
    transfer(code: string, from: string, to: string, amount: number, ref: string, more: Values = {}) {
      const id = `${ref}:${code}`
      const moved = { from_account: from, to_account: to, amount, code, ref, at: db.now() }
      insert('transfers', { id, actor: OPERATOR, ...moved, ...more })
    },
    custody(asset: string, quantity: number | bigint, code: string, ref: string) {
      insert('custody_entries', { id: `${ref}:${code}`, asset, quantity, code, ref, at: db.now() })
    },
  }
  return db
}

const ACCOUNT_KINDS = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'fees', 'owed']
