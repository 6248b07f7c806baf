import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { insertInvitationSql, restoreOperatorSql, updateDisabledSql } from './operator.mjs'

const migrations = join(import.meta.dirname, '../migrations')
const NOW = 1_800_000_000_000

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  for (const name of readdirSync(migrations).sort())
    if (name.endsWith('.sql')) database.exec(readFileSync(join(migrations, name), 'utf8'))
})

const rows = (sql: string) => database.prepare(sql).all()
const audited = () => rows('SELECT actor, action, subject FROM audit_log ORDER BY seq')

/** An operator who accepted the invitation and has a second factor. */
function operator(id: string) {
  database.exec(`
    INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash,
      email_verified_at, created_at, referral_code)
    VALUES ('${id}', 'operator', 'administrator', '${id}@example.org', '${id}', '${id}', '', '', '-', 1, 1, '${id}');
    INSERT INTO second_factors (user_id, secret_sealed, created_at, enabled_at) VALUES ('${id}', '1.x', 1, 1);`)
}

const invitation = (email: string, name = 'Ana') =>
  insertInvitationSql({ email, name, roles: 'reviewer administrator', token: `of ${email}`, nowMs: NOW })

it('an invitation is stored as the hash of its link, and audited', () => {
  database.exec(invitation('ana@example.org', "Ana O'Hara'); DROP TABLE users; --"))
  const [row] = rows('SELECT * FROM operator_invitations')
  expect(row).toMatchObject({
    email: 'ana@example.org',
    name: "Ana O'Hara'); DROP TABLE users; --",
    roles: 'reviewer administrator',
    proposal: null,
    token_hash: createHash('sha256').update('of ana@example.org').digest('hex'),
    expires_at: NOW + 72 * 3_600_000,
    accepted_at: null,
  })
  expect(JSON.stringify(rows('SELECT * FROM operator_invitations'))).not.toContain('of ana@')
  expect(audited()).toEqual([{ actor: 'owner', action: 'operator.invited', subject: row?.id }])
})

it('the command is refused once two administrators can act, and open invitations end then', () => {
  operator('ana')
  database.exec(invitation('ben@example.org'))
  operator('cem')
  expect(() => database.exec(invitation('dora@example.org'))).toThrow('second_operator_required')
  expect(() =>
    database.exec(`UPDATE operator_invitations SET accepted_at = ${NOW + 1}, operator = 'ben'`),
  ).toThrow('second_operator_required')
  expect(audited()).toHaveLength(1)
})

it('is refused for an address that has an account', () => {
  operator('ana')
  expect(() => database.exec(invitation('ana@example.org'))).toThrow('conflict')
})

it('disabling ends every session and is audited, but the last administrator who can act stays', () => {
  operator('ana')
  operator('ben')
  database.exec(`INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at)
    VALUES ('of-ana', 'ana', 'x', 1, 1, 2)`)
  database.exec(updateDisabledSql({ email: 'ana@example.org', nowMs: NOW }))
  expect(rows("SELECT disabled_at, disabled_by FROM users WHERE id = 'ana'")).toEqual([
    { disabled_at: NOW, disabled_by: 'owner' },
  ])
  expect(rows('SELECT ended_at FROM sessions')).toEqual([{ ended_at: NOW }])
  expect(audited()).toEqual([{ actor: 'owner', action: 'operator.disabled', subject: 'ana' }])
  expect(() => database.exec(updateDisabledSql({ email: 'ben@example.org', nowMs: NOW }))).toThrow(
    'last_administrator',
  )
})

it('an operator who is let in again has no second factor and no known password', () => {
  operator('ana')
  operator('ben')
  database.exec(updateDisabledSql({ email: 'ana@example.org', nowMs: NOW }))
  database.exec(restoreOperatorSql({ email: 'ana@example.org' }))
  expect(rows("SELECT disabled_at, password_hash FROM users WHERE id = 'ana'")).toEqual([
    { disabled_at: null, password_hash: expect.stringMatching(/^\$argon2id\$/) },
  ])
  expect(rows('SELECT user_id FROM second_factors')).toEqual([{ user_id: 'ben' }])
  expect(audited()).toContainEqual({ actor: 'owner', action: 'operator.enabled', subject: 'ana' })
})

it('the command restores nobody while two others can act', () => {
  for (const id of ['ana', 'ben']) operator(id)
  database.exec(updateDisabledSql({ email: 'ana@example.org', nowMs: NOW }))
  operator('cem')
  expect(() => database.exec(restoreOperatorSql({ email: 'ana@example.org' }))).toThrow(
    'second_operator_required',
  )
})
