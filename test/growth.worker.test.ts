import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DAY_MS } from '../src/time.ts'
import { runDueWork } from '../worker/cron.ts'
import development from '../worker/dev/index.ts'
import { seedPeople } from '../worker/dev/seed/people.ts'
import { seedWallets } from '../worker/dev/seed/reviewerKeys.ts'
import { SAMPLE_TOTP_SECRET } from '../worker/dev/seed/sampleKeys.ts'
import { openDatabase, runBatch } from '../worker/lib/database.ts'
import { totpCode } from './support/codes.ts'
import { CRYPTO_WITHDRAWAL } from './support/filing.ts'
import { letHoldPass } from './support/hold.ts'
import { type AnyBody, type CallOptions, ORIGIN, requestOf } from './support/http.ts'
import { readIdentityData } from './support/identityData.ts'
import { newTxid } from './support/ledger/txid.ts'
import { linkIn, mailTo } from './support/mailbox.ts'
import { newPicture } from './support/picture.ts'

const PASSWORD = 'correct-horse-battery-staple'
const DATABASES = [env.DB, env.SECOND_DB] as const

/** Where investors live, and what must be unique in all databases. A database of its own in production. */
class Directory {
  readonly #homes = new Map<string, D1Database>()
  readonly #references = new Map<string, D1Database>()

  /** The database of an address. A new one goes to the database with the fewest investors. */
  homeOf(email: string): D1Database {
    const count = (each: D1Database) => [...this.#homes.values()].filter((home) => home === each).length
    const home = this.#homes.get(email) ?? DATABASES.toSorted((a, b) => count(a) - count(b))[0] ?? env.DB
    this.#homes.set(email, home)
    return home
  }

  /** Claims the reference of a payment for one database, before that database credits it. */
  claim(reference: string, home: D1Database): boolean {
    const owner = this.#references.get(reference) ?? home
    this.#references.set(reference, owner)
    return owner === home
  }
}

type Body = AnyBody & { readonly token: string; readonly status: string; readonly available: number }

/** Sends a request to the unchanged Worker, with one database. */
async function send(home: D1Database, method: string, path: string, options: CallOptions = {}) {
  const context = createExecutionContext()
  const request = requestOf(method, `${ORIGIN}/api/v1${path}`, options)
  const response = await development.fetch(request, { ...env, DB: home }, context)
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const text = isJson ? await response.text() : ''
  if (!isJson) await response.body?.cancel()
  await waitOnExecutionContext(context)
  return { status: response.status, body: JSON.parse(text || '{}') as Body & readonly Body[] }
}

async function signIn(home: D1Database, email: string, code?: string): Promise<string> {
  const { status, body } = await send(home, 'POST', '/auth/login', {
    json: { email, password: PASSWORD, code },
  })
  expect([email, status]).toEqual([email, 200])
  return body.token
}

test('the journey runs on two databases behind a directory, without a change of the Worker', async () => {
  await env.SECOND_DB.batch(env.SCHEMA_SQL.map((sql) => env.SECOND_DB.prepare(sql)))
  for (const each of DATABASES) {
    const db = openDatabase(each)
    const { people: operators, statements } = await seedPeople(env, db, Date.now() - DAY_MS)
    await runBatch(db, [...statements, ...seedWallets(db, operators, Date.now() - DAY_MS)])
  }
  const directory = new Directory()
  const people = ['first@people.test', 'second@people.test']
  expect(people.map((email) => directory.homeOf(email))).toEqual(DATABASES)
  const reference = newTxid()

  for (const email of people) {
    const home = directory.homeOf(email)
    const registered = { fullname: 'ana torres', email, phone: '+41 79 555 01 23', password: PASSWORD }
    const json = { ...registered, country: 'Switzerland', acceptedTerms: true }
    expect((await send(home, 'POST', '/auth/register', { json })).status).toBe(201)
    const link = linkIn(await mailTo(email, /verify/i, home), 'verify-email').searchParams
    const verified = await send(home, 'POST', '/auth/verify-email', { json: Object.fromEntries(link) })
    expect(verified.status).toBe(200)
    const token = await signIn(home, email)
    // Operators have an account in each database.
    const [reviewer, treasurer] = await Promise.all(
      ['operator@example.com', 'operator2@example.com'].map((each) =>
        signIn(home, each, totpCode(SAMPLE_TOTP_SECRET)),
      ),
    )

    await send(home, 'POST', '/kyc', { token, form: { document: 'Passport', image: newPicture() } })
    const { body: documents } = await send(home, 'GET', '/operator/kyc?status=pending', { token: reviewer })
    await send(home, 'GET', `/operator/kyc/${documents[0]?._id}/document`, { token: reviewer })
    const seen = await send(home, 'POST', `/operator/kyc/${documents[0]?._id}/approve`, {
      token: reviewer,
      json: readIdentityData(String(documents[0]?._id)),
    })
    expect(seen.status).toBe(200)

    const { body: wallets } = await send(home, 'GET', '/admin-wallets', { token })
    const wallet = wallets.find((each) => 'network' in each && each.network === 'usdt-trc20')
    const paymentTo = wallet !== undefined && 'address' in wallet ? String(wallet.address) : ''
    const form = { type: 'usdt', network: 'usdt-trc20', amount: '250.00', paymentTo, image: newPicture() }
    const { body: deposit } = await send(home, 'POST', '/deposits', { token, form })
    // One payment of the chain is credited once: the second database does not know that the first one credited it.
    const own = directory.claim(reference, home) ? reference : newTxid()
    const credited = await send(home, 'POST', `/operator/deposits/${deposit._id}/approve`, {
      token: reviewer,
      json: { riskReason: 'Called back, all is in order', reference: own, amount: '250.00', quantity: '250' },
    })
    expect([email, own === reference, credited.status]).toEqual([email, home === env.DB, 200])

    expect((await send(home, 'POST', '/withdrawals', { token, json: CRYPTO_WITHDRAWAL })).status).toBe(403)
    const { text } = await mailTo(email, /^Confirm your withdrawal$/, home)
    const { body: withdrawal } = await send(home, 'POST', '/withdrawals', {
      token,
      json: { ...CRYPTO_WITHDRAWAL, code: /\b\d{6}\b/.exec(text)?.[0] },
    })
    await letHoldPass(withdrawal._id, home)
    const path = `/operator/withdrawals/${withdrawal._id}`
    expect((await send(home, 'POST', `${path}/approve`, { token: reviewer })).status).toBe(200)
    const paid = { token: treasurer, json: { reference: newTxid() } }
    expect((await send(home, 'POST', `${path}/complete`, paid)).body.status).toBe('completed')
    expect((await send(home, 'GET', '/users/user-info', { token })).body.available).toBe(150)
  }

  // Each database's books are complete by themselves, and each knows its own investor only.
  for (const [home, email] of [
    [env.DB, people[0]],
    [env.SECOND_DB, people[1]],
  ] as const) {
    const read = (sql: string) => home.prepare(sql).all<Record<string, unknown>>()
    expect((await read("SELECT email FROM users WHERE email LIKE '%people.test'")).results).toEqual([
      { email },
    ])
    expect((await read('SELECT sum(balance) AS books FROM accounts')).results).toEqual([{ books: 0 }])
    await runDueWork({ ...env, DB: home }, Date.now())
    // Dollars came in and a coin went out, which nobody has booked as a conversion yet.
    expect((await read('SELECT name, finding FROM self_checks WHERE ok = 0')).results).toEqual([
      { name: 'treasury', finding: 'Custody of Bitcoin at Other wallets on Bitcoin is below zero' },
    ])
    expect((await read('SELECT name, error FROM cron_work WHERE error IS NOT NULL')).results).toEqual([])
  }
})
