import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import type { KycRecord } from '../../src/contract/identity/kyc.ts'
import { totpCode } from '../../test/support/codes.ts'
import { call, send } from '../../test/support/http.ts'
import { as } from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { newPicture } from '../../test/support/picture.ts'
import { buildDocumentContext } from '../identity/kyc/submit.ts'
import { newTotpSecret } from '../lib/crypto/totp.ts'
import { openVault } from '../lib/crypto/vault.ts'
import { openDatabase, runBatch } from '../lib/database.ts'
import { composeMail } from '../lib/mail/compose.ts'
import { decryptContent, enqueueMail } from '../lib/mail/outbox.ts'
import type { outbox } from '../lib/tables/platform.ts'
import { rotateKeys } from './rotateKeys.ts'

// The tests of this file build on each other: keys only get newer.
const key = (fill: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(fill)))
const withKeys = (...versions: readonly [number, number][]) => ({
  ...env,
  VAULT_KEYS: [
    ...(versions.some(([version]) => version === 1) ? [] : [env.VAULT_KEYS]),
    ...versions.map(([version, fill]) => `${version}:${key(fill)}`),
  ].join(','),
})
const BOTH = withKeys([2, 2])
const db = openDatabase(env.DB)
const alarms = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => alarms.mockClear())

interface Row {
  readonly id: string
  readonly user_id: string
  readonly file_key: string
  readonly wrapped_key: string
  readonly key_version: number
}

async function withDocument(): Promise<Person> {
  const ana = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  return ana
}

const documents = async () =>
  (
    await env.DB.prepare(
      'SELECT * FROM kyc_submissions WHERE wrapped_key IS NOT NULL ORDER BY seq',
    ).all<Row>()
  ).results
const versions = async () => {
  const { results } = await env.DB.prepare(
    `SELECT key_version AS version, count(*) AS n FROM kyc_submissions WHERE wrapped_key IS NOT NULL GROUP BY 1
     UNION ALL SELECT CAST(secret_sealed AS INTEGER) + 100, count(*) FROM second_factors GROUP BY 1 ORDER BY 1`,
  ).all<{ version: number; n: number }>()
  return Object.fromEntries(results.map(({ version, n }) => [version, n]))
}
const standing = async () => {
  const row = await env.DB.prepare(
    "SELECT checkpoint, ok, finding FROM self_checks WHERE name = 'wrappingKeys'",
  ).first<{ checkpoint: string; ok: number; finding: string | null }>()
  return { ...row, ...(JSON.parse(row?.checkpoint ?? '{}') as { newest: number; sinceMs: number }) }
}

async function opensUnder(keys: string, row: Row): Promise<boolean> {
  const file = await env.FILES.get(row.file_key)
  const bytes = new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())
  return openVault(keys)
    .openFile(bytes, row.wrapped_key, buildDocumentContext(row.user_id, row.file_key))
    .then(
      () => true,
      () => false,
    )
}

test('with one key there is nothing to do, and it says so once', async () => {
  await withDocument()
  await rotateKeys(env, db, 1_000)
  expect(await standing()).toMatchObject({ newest: 1, versions: [1], sinceMs: 1_000, ok: 1, finding: null })
  await rotateKeys(env, db, 2_000)
  expect(await standing()).toMatchObject({ sinceMs: 1_000 })
})

test('values under an older version are encrypted again page by page, also after kills, and decrypt without it', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ totpSecret: secret })
  for (let more = 0; more < 4; more++) await withDocument()
  const before = await documents()
  const factors = (await versions())[101] ?? 0
  expect(await versions()).toEqual({ 1: 5, 101: factors })

  await rotateKeys(BOTH, db, 3_000, 2)
  expect(await versions()).toMatchObject({ 1: 3, 2: 2 })
  // Killed between reading and writing: nothing has changed, and the next run continues.
  let statements = 0
  const dying = new Proxy(env.DB, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (name === 'prepare' && String(given[0]).startsWith('UPDATE') && statements++ >= 0)
          throw new Error('killed')
        return (value as (...of: unknown[]) => unknown).apply(of, given)
      }
    },
  })
  await expect(rotateKeys(BOTH, openDatabase(dying), 4_000, 2)).rejects.toThrow('killed')
  expect(await versions()).toMatchObject({ 1: 3, 2: 2 })
  for (let run = 0; run < 60 && ((await versions())[1] ?? 0) + ((await versions())[101] ?? 0) > 0; run++)
    await rotateKeys(BOTH, db, 5_000, 2)
  expect(await versions()).toEqual({ 2: 5, 102: factors })

  const after = await documents()
  const onlyNew = `2:${key(2)}`
  for (const [i, row] of after.entries()) {
    expect(row.wrapped_key).not.toBe(before[i]?.wrapped_key)
    expect(row.file_key).toBe(before[i]?.file_key)
    expect(await opensUnder(onlyNew, row)).toBe(true)
    expect(await opensUnder(env.VAULT_KEYS, row)).toBe(false)
  }
  expect(await standing()).toMatchObject({ newest: 2, sinceMs: 3_000, ok: 1, finding: null })

  // Its owner still signs in with the app: it is encrypted again for the same person.
  const sealed = await env.DB.prepare('SELECT secret_sealed FROM second_factors WHERE user_id = ?')
    .bind(ana.id)
    .first<string>('secret_sealed')
  const opened = await openVault(onlyNew).openSmall(sealed ?? '', `totp:${ana.id}`)
  expect(totpCode(new TextDecoder().decode(opened))).toBe(totpCode(secret))
})

test('a waiting mail is encrypted again, and decrypts without the older key', async () => {
  const mail = composeMail('waiting@example.com', 'Waiting', 'Ana', ['Your code is 123456.'])
  await runBatch(db, await enqueueMail(env, mail, 9e12))
  const row = () =>
    env.DB.prepare("SELECT * FROM outbox WHERE subject = 'Waiting'").first<typeof outbox.$inferSelect>()
  expect((await row())?.sealed).toMatch(/^1\./)
  await rotateKeys(BOTH, db, 5_500)
  const renewed = await row()
  expect(renewed?.sealed).toMatch(/^2\./)
  const onlyNew = { ...env, VAULT_KEYS: `2:${key(2)}` }
  expect(renewed && (await decryptContent(onlyNew, renewed)).text).toContain('123456')
})

test('a value that was changed or shredded meanwhile is left as it is', async () => {
  const ana = await withDocument()
  const [row] = (await documents()).filter(({ user_id }) => user_id === ana.id)
  // The key is removed between reading and writing.
  let shredded = false
  const racing = new Proxy(env.DB, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const statement = (value as (...of: unknown[]) => unknown).apply(of, given) as D1PreparedStatement
        if (name !== 'prepare' || !String(given[0]).startsWith('UPDATE kyc')) return statement
        return {
          bind: (...values: unknown[]) => ({
            run: async () => {
              await env.DB.prepare(
                'UPDATE kyc_submissions SET wrapped_key = NULL, shredded_at = 1 WHERE id = ?',
              )
                .bind(row?.id ?? '')
                .run()
              shredded = true
              return statement.bind(...values).run()
            },
          }),
        }
      }
    },
  })
  await rotateKeys(BOTH, openDatabase(racing), 6_000)
  expect(shredded).toBe(true)
  const left = await env.DB.prepare('SELECT wrapped_key FROM kyc_submissions WHERE id = ?')
    .bind(row?.id ?? '')
    .first('wrapped_key')
  expect(left).toBeNull()
})

test('a value that cannot be decrypted raises an alarm and blocks no other', async () => {
  const [ana, ben] = [await withDocument(), await withDocument()]
  await env.DB.prepare(
    "UPDATE kyc_submissions SET wrapped_key = '1.' || substr(wrapped_key, 4) || 'A' WHERE user_id = ?",
  )
    .bind(ana.id)
    .run()
  await rotateKeys(BOTH, db, 7_000)
  const rows = await documents()
  expect(rows.find(({ user_id }) => user_id === ben.id)?.key_version).toBe(2)
  expect(rows.find(({ user_id }) => user_id === ana.id)?.key_version).toBe(1)
  expect(await standing()).toMatchObject({ ok: 0, finding: '1 of the documents do not open' })
  expect(alarms).toHaveBeenCalledWith(expect.stringContaining('"level":"alarm"'))
  await env.DB.prepare('UPDATE kyc_submissions SET wrapped_key = NULL, shredded_at = 1 WHERE user_id = ?')
    .bind(ana.id)
    .run()
})

test('a version that was removed too early raises an alarm that names what it encrypts', async () => {
  const carl = await withDocument()
  await rotateKeys({ ...env, VAULT_KEYS: `2:${key(2)}` }, db, 8_000)
  expect((await standing()).finding).toMatch(
    /1 of the documents stand under version 1, which VAULT_KEYS lacks/,
  )
  await rotateKeys(BOTH, db, 9_000)
  expect((await documents()).find(({ user_id }) => user_id === carl.id)?.key_version).toBe(2)
  expect(await standing()).toMatchObject({ ok: 1, finding: null })
})

test('operators still open a document whose key was wrapped again, while both keys exist', async () => {
  await withDocument()
  await rotateKeys(env, db, 10_000)
  const operator = await newOperator()
  const list = await as<KycRecord[]>(operator, 'GET', '/operator/kyc?limit=1')
  const look = await send('GET', `/operator/kyc/${list.body[0]?._id}/document`, { token: operator.token })
  expect(look.status).toBe(200)
})
