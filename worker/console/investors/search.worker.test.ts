import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { cost as costOfCall } from '../../../test/support/cost.ts'
import { countQueries } from '../../../test/support/counting.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { approveDeposit, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { openDatabase, readTogether } from '../../lib/database.ts'
import { type InvestorFilters, readPage } from './list.ts'

const MANY = 10_000
/** The reads of one search: each range to its end, the page, and the check whether there are few. */
const MOST_ROWS = 3_500

let operator: Operator

beforeAll(async () => {
  operator = await newOperator({ name: 'Zebedee Operator' })
})

async function found(query: string, more = ''): Promise<string[]> {
  const path = `/operator/investors?query=${encodeURIComponent(query)}${more}`
  const { status, body } = await as<OperatorInvestor[]>(operator, 'GET', path)
  expect(status).toBe(200)
  return body.map(({ _id }) => _id)
}

test('an investor is found by a name, one of its words, an address, a number, an id, or a reference', async () => {
  const ana = await newInvestor({ name: 'Anaïs de la Quillfeather' })
  const ben = await newInvestor({ name: 'Ben Okafor', kyc: 'pending' })
  const { body: filed } = await fileDeposit(ana, { txid: `${'AbC1'.repeat(16)}:1` })
  await env.DB.prepare("UPDATE users SET phone = '+44 20 7946 0018' WHERE id = ?").bind(ben.id).run()
  await approveDeposit(operator, filed._id, { reference: `${txid('paid').toUpperCase()}:2` })
  const kyc = await env.DB.prepare('SELECT ref FROM kyc_submissions WHERE user_id = ?')
    .bind(ben.id)
    .first<string>('ref')
  const words: [string, string][] = [
    ['anaïs', ana.id],
    ['ANAÏS DE', ana.id],
    ['de la q', ana.id],
    ['la Quill', ana.id],
    ['quillF', ana.id],
    // Nobody's name begins so.
    ['feather', ana.id],
    [ana.email.slice(2, -4).toUpperCase(), ana.id],
    [ana.id, ana.id],
    [filed._id, ana.id],
    [filed.ref, ana.id],
    [filed.ref.slice(0, 9).toLowerCase(), ana.id],
    [`${'abC1'.repeat(16)}:1`, ana.id],
    [`0x${txid('paid')}`, ana.id],
    [`${txid('paid')}:02`, ana.id],
    [kyc ?? '', ben.id],
    ['+44 20 7946', ben.id],
    ['442079460018', ben.id],
    ['7946 0018', ben.id],
  ]
  for (const [query, id] of words) expect([query, await found(query)]).toEqual([query, [id]])
  // Our references have no letter U.
  for (const nobody of ['%', '_', 'DEP-', 'DEP-U', 'Zebedee', operator.email, operator.id, "' OR 1 --", '*'])
    expect([nobody, await found(nobody)]).toEqual([nobody, []])
  expect((await as(operator, 'GET', `/operator/investors?query=${'x'.repeat(121)}`)).status).toBe(422)
})

test('a name is found in any case, with or without its accents, in either composition, with any apostrophe', async () => {
  const eva = await newInvestor({ name: 'Éva Ünal' })
  const liam = await newInvestor({ name: 'Liam O’Brien' })
  const can = await newInvestor({ name: 'Can Yılmaz' })
  for (const query of ['Éva Ünal', 'eva unal', 'ÉVA ÜNAL', 'E\u0301va', 'Unal', 'u\u0308nal', 'va ün'])
    expect([query, await found(query)]).toEqual([query, [eva.id]])
  for (const query of ["O'Brien", 'O’Brien', "o'BRIEN", 'Liam O´B'])
    expect([query, await found(query)]).toEqual([query, [liam.id]])
  for (const query of ['Yılmaz', 'Yilmaz', 'YILMAZ', 'yılmaz'])
    expect([query, await found(query)]).toEqual([query, [can.id]])
  // A new name takes the place of the old one.
  await as(can, 'PATCH', '/users/user-info', { displayName: 'Can Çelik', fullname: 'can çelik' })
  expect([await found('celik'), await found('yilmaz')]).toEqual([[can.id], []])
})

test('finds investors by the beginning, and on demand by any part', async () => {
  const begins = await newInvestor({ name: 'Olga Marchbanks' })
  const within = await newInvestor({ name: 'Otto Outmarch' })
  expect(await found('march')).toEqual([begins.id])
  expect(await found('march', '&anywhere=true')).toEqual([within.id, begins.id])
})

test('investors are narrowed to frozen and closed accounts, and to how far the identity is', async () => {
  const name = 'Nora Narrow'
  const plain = await newInvestor({ name })
  const frozen = await newInvestor({ name, frozen: true, kyc: 'none' })
  const rejected = await newInvestor({ name, kyc: 'rejected' })
  const closed = await newInvestor({ name, kyc: 'none' })
  await env.DB.prepare('UPDATE sessions SET ended_at = 1 WHERE user_id = ?').bind(closed.id).run()
  await env.DB.prepare('UPDATE users SET closed_at = 1 WHERE id = ?').bind(closed.id).run()
  expect(await found(name, '&account=frozen')).toEqual([frozen.id])
  expect(await found(name, '&account=closed')).toEqual([closed.id])
  expect(await found(name, '&account=active')).toEqual([rejected.id, plain.id])
  expect(await found(name, '&kyc=rejected')).toEqual([rejected.id])
  expect(await found(name, '&kyc=none&account=')).toEqual([closed.id, frozen.id])
  expect((await found('', '&account=frozen'))[0]).toBe(frozen.id)
  expect((await found('', '&account=closed'))[0]).toBe(closed.id)
  expect((await found('', '&kyc=rejected'))[0]).toBe(rejected.id)
  expect((await as(operator, 'GET', '/operator/investors?account=odd')).status).toBe(422)
})

describe(`among ${MANY} investors`, () => {
  beforeAll(async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO users (id, role, email, fullname, display_name, fullname_folded, display_name_folded, phone, country, password_hash, created_at, referral_code)
       SELECT 'many-' || i, 'investor', 'many.' || i || '@example.org', 'max ' || i || ' mustermann' || (i % 1000),
         'Max ' || i || ' Mustermann' || (i % 1000),
         'max ' || i || ' mustermann' || (i % 1000), 'max ' || i || ' mustermann' || (i % 1000), '+41 44 ' || (1000000 + i), 'Switzerland', '', 1, 'many' || i FROM n`,
    )
      .bind(MANY)
      .run()
  })

  async function cost(query: InvestorFilters) {
    const { binding, counted } = countQueries(env.DB)
    const [rows] = await readTogether(openDatabase(binding), readPage('', query))
    return { ids: rows.map(({ id }) => id), ...counted }
  }

  test.each([
    ['a name that few have', 'mustermann77', 51],
    ['a name that all have', 'max', 51],
    ['the beginning that all names have', 'm', 51],
    ['a whole name', 'max 5000 mustermann0', 1],
    ['an address', 'many.7777@example.org', 1],
    ['the beginning of an address that all have', 'many.', 51],
    ['a number', '+41 44 100 5000', 1],
    ['the beginning of a number that all have', '+4144', 51],
    ['a reference that nobody has', 'DEP-XXXX', 0],
  ])('%s is found without reading everybody', async (_, query, count) => {
    const { ids, rowsRead, trips } = await cost({ query, limit: 50 })
    expect(ids.length).toBe(count)
    expect(rowsRead).toBeLessThanOrEqual(MOST_ROWS)
    expect(trips).toBe(1)
  })

  test('pages neither skip nor repeat anybody, whichever way they are found', async () => {
    for (const [query, all] of [
      ['mustermann77', 11 * 10],
      ['mustermann7', 111 * 10],
    ] as const) {
      const seen = new Set<string>()
      let path = `/operator/investors?limit=100&query=${query}`
      for (let pages = 0; path !== '' && pages < 20; pages++) {
        const { body, headers } = await as<OperatorInvestor[]>(operator, 'GET', path)
        for (const { _id } of body) {
          expect(seen.has(_id)).toBe(false)
          seen.add(_id)
        }
        path = /<\/api\/v1(.+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
      }
      expect(seen.size).toBe(all)
    }
  })

  test.each([[{ account: 'frozen' }], [{ account: 'closed' }], [{ kyc: 'rejected' }], [{}]] as const)(
    'a list narrowed to %j reads little more than it shows',
    async (filters) => {
      expect((await cost({ ...filters, limit: 50 })).rowsRead).toBeLessThanOrEqual(160)
    },
  )

  test('a text that begins no name is searched in each row, once', async () => {
    const { ids, rowsRead, trips } = await cost({ query: 'ustermann77', limit: 50 })
    expect([ids.length, trips]).toEqual([51, 1])
    const nobody = await cost({ query: 'nobody has this', limit: 50 })
    expect(nobody.ids).toEqual([])
    expect(Math.max(rowsRead, nobody.rowsRead)).toBeLessThanOrEqual(MANY + 200)
  })

  test('with twice as many investors, a search reads no more than the newest accounts', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO users (id, role, email, fullname, display_name, fullname_folded, display_name_folded, phone, country, password_hash, created_at, referral_code)
       SELECT 'newer-' || i, 'investor', 'newer.' || i || '@example.org', 'nia newer', 'Nia Newer', 'nia newer', 'nia newer', '+41', 'Switzerland', '', 1,
         'newer' || i FROM n`,
    )
      .bind(MANY)
      .run()
    const found = async (query: InvestorFilters) => {
      const { ids, rowsRead } = await cost(query)
      expect(rowsRead).toBeLessThanOrEqual(MANY + MOST_ROWS)
      return ids.length
    }
    // Everybody with a rare word is found, and some of the many with a common one.
    expect(await found({ query: 'mustermann77', limit: 10 })).toBe(11)
    expect(await found({ query: 'mustermann7', limit: 10 })).toBe(11)
    expect(await found({ query: 'max', limit: 50 })).toBe(51)
    expect(await found({ query: 'nia', limit: 50 })).toBe(51)
    // A part of a word is searched in the newest ones.
    expect(await found({ query: 'ewer', limit: 50 })).toBe(51)
    for (const query of ['ustermann77', 'nobody has this'])
      expect(await found({ query, limit: 50, anywhere: 'true' })).toBe(0)
  })

  test.each(['deposits', 'withdrawals', 'kyc', 'messages'])(
    'a search of the %s reads no more than the newest accounts, for a rare and for a common name',
    async (queue) => {
      for (const query of ['mustermann77', 'max', 'm', 'nobody has this']) {
        const { status, counted } = await costOfCall('GET', `/operator/${queue}?query=${query}`, operator)
        expect(status).toBe(200)
        // Twice, because requests and their events are two reads. The risk of each open row is read too.
        expect(counted.rowsRead).toBeLessThanOrEqual(2 * (MANY + MOST_ROWS) + 200 * 51)
      }
    },
  )
})
