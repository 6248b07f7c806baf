import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import type { KycRecord } from '../../../src/contract/identity/kyc.ts'
import { DAY_MS } from '../../../src/time.ts'
import { countQueries } from '../../../test/support/counting.ts'
import { BANK_WITHDRAWAL } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { readIdentityData } from '../../../test/support/identityData.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import {
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  openDocument,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { runSelfChecks } from '../../console/selfCheck/run.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { sealAuditLog } from '../../platform/audit/seal.ts'
import { buildDocumentContext } from '../kyc/submit.ts'
import { endRetention } from './retention.ts'

const db = openDatabase(env.DB)
const end = (days: number, bindings: Env = env) =>
  endRetention(bindings, openDatabase(bindings.DB), Date.now() + days * DAY_MS)

interface Document {
  readonly id: string
  readonly file_key: string
  readonly wrapped_key: string | null
  readonly status: string
  readonly shredded_at: number | null
  readonly file_deleted_at: number | null
}

const reviewer = await newOperator()

const documentsOf = async (person: Person) =>
  (
    await env.DB.prepare('SELECT * FROM kyc_submissions WHERE user_id = ? ORDER BY seq')
      .bind(person.id)
      .all<Document>()
  ).results
const userOf = (person: Person) =>
  env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(person.id).first<Record<string, unknown>>()

/** A user whose identity document an operator decided. */
async function identified(decision: 'approve' | 'reject' = 'approve'): Promise<Person> {
  const ana = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const [record] = (await as<KycRecord[]>(ana, 'GET', '/kyc')).body
  const json = decision === 'reject' ? { reason: 'It is blurred' } : readIdentityData(record?._id)
  await openDocument(reviewer, record?._id)
  await as(reviewer, 'POST', `/operator/kyc/${record?._id}/${decision}`, json)
  return ana
}

async function closed(person: Person): Promise<Person> {
  const reply = await call('POST', '/users/close', {
    token: person.token,
    json: { password: person.password },
  })
  expect(reply.status).toBe(200)
  return person
}

async function bytesOf(key: string): Promise<Uint8Array | null> {
  const file = await env.FILES.get(key)
  return file === null ? null : new Uint8Array(await file.arrayBuffer())
}

/** The whole database as text. */
async function wholeDatabase(): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  ).all<{ name: string }>()
  const values: string[] = []
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all()
    for (const row of results) for (const value of Object.values(row)) values.push(String(value))
  }
  return values
}

/** Bindings whose bucket or database fails after a number of uses, to interrupt the run there. */
function dying(uses: number): Env {
  let left = uses
  const spend = () => {
    if (left-- <= 0) throw new Error('killed')
  }
  const watched = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of)
        if (typeof value !== 'function') return value
        const bound = value.bind(of) as (...given: unknown[]) => unknown
        if (!names.includes(String(name))) return bound
        return (...given: unknown[]) => {
          spend()
          return bound(...given)
        }
      },
    })
  return { ...env, DB: watched(env.DB, ['prepare', 'batch']), FILES: watched(env.FILES, ['delete']) }
}

describe('a document', () => {
  test('nobody can open a shredded document, even with the file’s bytes and every wrapping key', async () => {
    const ana = await identified()
    const [before] = await documentsOf(ana)
    const saved = await bytesOf(before?.file_key ?? '')
    const vault = openVault(env.VAULT_KEYS)
    const context = buildDocumentContext(ana.id, before?.file_key ?? '')
    // The file could be opened while its key existed.
    expect(
      (await vault.openFile(saved ?? new Uint8Array(), before?.wrapped_key ?? '', context)).length,
    ).toBeGreaterThan(0)

    await closed(ana)
    await end(1824)
    expect((await documentsOf(ana))[0]?.wrapped_key).toBe(before?.wrapped_key)
    await end(1826)

    const [after] = await documentsOf(ana)
    expect(after).toMatchObject({ status: 'approved', wrapped_key: null, key_version: null })
    expect(await bytesOf(before?.file_key ?? '')).toBeNull()
    const look = await send('GET', `/operator/kyc/${before?.id}/document`, {
      token: (await newOperator()).token,
    })
    expect(look.status).toBe(404)
    // Directly: nothing left in the database is a key to these bytes, in any context.
    let tried = 0
    for (const value of new Set(await wholeDatabase())) {
      if (!/^\d+\.[A-Za-z0-9+/]+={0,2}$/.test(value)) continue
      tried++
      await expect(vault.openFile(saved ?? new Uint8Array(), value, context)).rejects.toThrow()
    }
    expect(tried).toBeGreaterThan(0)
    expect(await wholeDatabase()).not.toContain(before?.wrapped_key)
  })

  test('a rejected document is shredded after its own period, and the account stays', async () => {
    const ana = await identified('reject')
    await end(179)
    expect((await documentsOf(ana))[0]?.shredded_at).toBeNull()
    await end(181)
    const [row] = await documentsOf(ana)
    expect(row).toMatchObject({ status: 'rejected', wrapped_key: null })
    expect(await bytesOf(row?.file_key ?? '')).toBeNull()
    expect((await as<KycRecord[]>(ana, 'GET', '/kyc')).body).toMatchObject([
      { status: 'rejected', reason: 'Please write to us if you want to know why.' },
    ])
  })

  test('of a current account stays, however old it is', async () => {
    const ana = await identified()
    await end(20_000)
    expect((await documentsOf(ana))[0]?.shredded_at).toBeNull()
  })

  test('costs no row where nothing is due, however many documents there are', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO users (id, role, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
       SELECT 'many-' || i, 'investor', 'many.' || i || '@example.org', '', '', '', '', '', 1, 'many' || i FROM n`,
    ).run()
    await env.DB.prepare(
      `INSERT INTO kyc_submissions (id, ref, user_id, status, document, media_type, file_key, wrapped_key, key_version, created_at)
       SELECT id, id, id, 'pending', 'Passport', 'image/png', id, '1.x', 1, 1 FROM users WHERE id GLOB 'many-*'`,
    ).run()
    const { binding, counted } = countQueries(env.DB)
    await end(0, { ...env, DB: binding })
    expect(counted.rowsRead).toBeLessThan(100)
  })

  test('of a frozen account stays until the freeze is lifted', async () => {
    const ana = await closed(await identified())
    const operator = await newOperator()
    const mails = (await mailsTo(ana.email)).length
    const frozen = await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, {
      reason: 'An order of a court',
    })
    expect(frozen).toMatchObject({ status: 200, body: { frozen: true, closedAt: expect.any(String) } })
    const notice = { title: 'Hello', content: '<p>There</p>' }
    const refused = await as(operator, 'POST', `/operator/investors/${ana.id}/notification`, notice)
    expect(refused).toMatchObject({ status: 403, body: { code: 'account_closed' } })
    await end(1826)
    expect(await mailsTo(ana.email)).toHaveLength(mails)
    expect((await documentsOf(ana))[0]?.shredded_at).toBeNull()
    expect((await userOf(ana))?.erased_at).toBeNull()
    await as(operator, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
    await end(1826)
    expect((await mailsTo(ana.email)).length).toBe(0)
    expect((await userOf(ana))?.erased_at).not.toBeNull()
  })

  test('a shredded document never gets a key again', async () => {
    const ana = await closed(await identified())
    const [before] = await documentsOf(ana)
    await end(1826)
    await expect(
      env.DB.prepare('UPDATE kyc_submissions SET wrapped_key = ? WHERE id = ?')
        .bind(before?.wrapped_key ?? '', before?.id ?? '')
        .run(),
    ).rejects.toThrow('not_found')
  })
})

test('a document that cannot be deleted and a person who cannot be erased stop no other', async () => {
  const [ana, ben] = [await closed(await identified()), await closed(await identified())]
  const [odd] = await documentsOf(ana)
  const files = new Proxy(env.FILES, {
    get: (bucket, name) => {
      const value: unknown = Reflect.get(bucket, name, bucket)
      if (name !== 'delete') return typeof value === 'function' ? value.bind(bucket) : value
      return async (keys: string[]) => {
        if (keys.includes(odd?.file_key ?? '')) throw new Error('odd')
        await bucket.delete(keys)
      }
    },
  })
  await env.DB.exec(
    `CREATE TRIGGER odd_person BEFORE UPDATE OF erased_at ON users WHEN NEW.id = '${ana.id}' BEGIN SELECT RAISE(ABORT, 'odd'); END`,
  )
  await expect(end(4000, { ...env, FILES: files })).rejects.toThrow('odd')
  await env.DB.exec('DROP TRIGGER odd_person')
  expect(await documentsOf(ana)).toMatchObject([{ shredded_at: expect.any(Number), file_deleted_at: null }])
  expect(await documentsOf(ben)).toMatchObject([{ file_deleted_at: expect.any(Number) }])
  expect(await userOf(ana)).toMatchObject({ erased_at: null })
  expect(await userOf(ben)).toMatchObject({ erased_at: expect.any(Number) })
  await end(4000)
  expect(await userOf(ana)).toMatchObject({ erased_at: expect.any(Number) })
})

describe('an erased person', () => {
  test('an erased person leaves no name, balanced books and an intact audit log', async () => {
    const nowMs = Date.now()
    const ana = await identified()
    const [first, second] = [await newOperator(), await newOperator()]
    const filed = await deposit(ana, '100.00', { txid: 'ab'.repeat(32) })
    const receipt = await env.DB.prepare('SELECT receipt_key FROM deposit_details WHERE request = ?')
      .bind(filed)
      .first<string>('receipt_key')
    await as(first, 'POST', `/operator/deposits/${filed}/approve`, {
      riskReason: 'Called back, all is in order',
      reference: txid(filed),
      quantity: '0.00155763',
    })
    for (const path of ['/withdrawals', '/withdrawals/online-service'] as const) {
      const id = await withdrawal(ana, '50.00', path)
      await approveWithdrawal(first, id)
      await completeWithdrawal(second, id)
    }
    await call('POST', '/contact-us', { json: { name: ana.name, email: ana.email, message: 'Good bye' } })
    const asked = await as<{ _id: string }>(ana, 'POST', '/users/messages', { message: 'A question of hers' })
    const latest = asked.body._id
    const answer = { text: 'An answer to her', latest }
    expect((await as(first, 'POST', `/operator/messages/${latest}/reply`, answer)).status).toBe(200)
    await as(ana, 'PATCH', '/users/user-info', { address: 'Lake Road 9', gender: 'female' })
    const noted = await as(first, 'POST', `/operator/investors/${ana.id}/notes`, { text: 'Rang from Rhodes' })
    expect(noted.status).toBe(201)
    await sealAuditLog(db, nowMs)
    const transfers = await env.DB.prepare('SELECT * FROM transfers ORDER BY seq').all()
    await closed(ana)
    await end(1826)

    expect(await userOf(ana)).toMatchObject({
      email: `${ana.id}@erased.invalid`,
      fullname: 'erased',
      phone: '',
      address: null,
      password_hash: '',
      kyc_status: 'approved',
    })
    expect(await bytesOf(receipt ?? '')).toBeNull()
    const left = (await wholeDatabase()).join('\n')
    const { accountNumber, clientNumber, bankName } = BANK_WITHDRAWAL
    for (const trace of [
      ana.email,
      'Lake Road 9',
      'Good bye',
      'A question of hers',
      'An answer to her',
      'Rang from Rhodes',
      accountNumber,
      clientNumber,
      bankName,
      'ab'.repeat(32),
    ])
      expect(left).not.toContain(trace)
    expect(await mailsTo(ana.email)).toEqual([])

    expect((await env.DB.prepare('SELECT * FROM transfers ORDER BY seq').all()).results).toEqual(
      transfers.results,
    )
    expect(
      (await as<{ balanced: boolean }>(first, 'GET', '/operator/ledger/trial-balance')).body.balanced,
    ).toBe(true)
    await runSelfChecks(env, db, nowMs)
    const { results } = await env.DB.prepare(
      "SELECT name, finding FROM self_checks WHERE name IN ('ledger', 'everything')",
    ).all()
    expect(results).toEqual([
      { name: 'everything', finding: null },
      { name: 'ledger', finding: null },
    ])
    await sealAuditLog(db, nowMs)
    const verdict = await as<{ ok: boolean }>(second, 'GET', '/operator/audit-log/verify')
    expect(verdict.body).toMatchObject({ ok: true, unsealed: 0 })
    // The address is free for a new account, and the old owner is unknown.
    const signIn = await call('POST', '/auth/login', { json: { email: ana.email, password: ana.password } })
    expect(signIn).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    // Operators still see the row, without the person.
    const row = await as<{ name: string }>(first, 'GET', `/operator/investors/${ana.id}`)
    expect(row.body.name).toBe('Erased')
    const log = await as<AuditEntry[]>(first, 'GET', `/operator/audit-log?actor=system&subject=${ana.id}`)
    expect(log.body).toContainEqual(
      expect.objectContaining({
        actorName: 'The system',
        label: 'Erased the personal data of an investor',
        about: expect.objectContaining({ label: 'A former investor' }),
      }),
    )
  })

  test('erasing ends the same wherever it is killed and started again', async () => {
    let killed = true
    let uses = 0
    for (; killed; uses++) {
      const ana = await identified()
      const id = await deposit(ana, '1.00')
      await call('POST', `/deposits/${id}/cancel`, { token: ana.token })
      await closed(ana)
      const [{ file_key = '' } = {}] = await documentsOf(ana)
      killed = await end(1826, dying(uses)).then(
        () => false,
        () => true,
      )
      // A file is never deleted before its key, nor a person erased before their documents.
      const [midway] = await documentsOf(ana)
      if (midway?.wrapped_key !== null) expect(await bytesOf(file_key)).not.toBeNull()
      if ((await userOf(ana))?.erased_at !== null) expect(midway?.wrapped_key).toBeNull()
      await end(1826)
      await end(1826)
      expect((await documentsOf(ana))[0]).toMatchObject({ wrapped_key: null })
      expect((await documentsOf(ana))[0]?.file_deleted_at).not.toBeNull()
      expect(await bytesOf(file_key)).toBeNull()
      expect((await userOf(ana))?.fullname).toBe('erased')
      const acts = await env.DB.prepare(
        "SELECT count(*) AS n FROM audit_log WHERE action = 'account.erased' AND subject = ?",
      )
        .bind(ana.id)
        .first<number>('n')
      expect(acts).toBe(1)
    }
    // It was interrupted at each step, and completed in the end.
    expect(uses).toBeGreaterThan(8)
  })

  test('is refused by the database before the account is closed, and before the documents are shredded', async () => {
    const erase = (person: Person) =>
      env.DB.prepare('UPDATE users SET erased_at = ? WHERE id = ?').bind(Date.now(), person.id).run()
    const ana = await identified()
    await expect(erase(ana)).rejects.toThrow(/already erased or not closed/)
    await closed(ana)
    await expect(erase(ana)).rejects.toThrow(/documents not shredded/)
  })

  test('only destinations are blanked; requests of other people never change', async () => {
    const ana = await newInvestor({ availableCents: 100_00 })
    const id = await withdrawal(ana, '100.00', '/withdrawals/online-service')
    const change = (bank: string) =>
      env.DB.prepare('UPDATE withdrawal_details SET bank = ? WHERE request = ?').bind(bank, id).run()
    await expect(change('{"bankName":""}')).rejects.toThrow(/immutable/)
    const [first, second] = [await newOperator(), await newOperator()]
    await approveWithdrawal(first, id)
    await completeWithdrawal(second, id)
    await closed(ana)
    await end(1826)
    await expect(change('{"bankName":"Another Bank"}')).rejects.toThrow(/immutable/)
  })
})

test('two operators set the periods, and a document never outlives its person', async () => {
  await setSetting('retention', { documentDays: 900, personDays: 10 })
  const ana = await closed(await identified())
  await end(9)
  expect((await documentsOf(ana))[0]?.shredded_at).toBeNull()
  await end(11)
  expect((await documentsOf(ana))[0]?.file_deleted_at).not.toBeNull()
  expect((await userOf(ana))?.erased_at).not.toBeNull()
})
