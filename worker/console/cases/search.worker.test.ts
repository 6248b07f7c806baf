import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { cost } from '../../../test/support/cost.ts'
import { call, type Reply } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import { approveDeposit, as, deposit, propose, withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'

interface Row {
  readonly _id: string
  readonly ref: string
}

async function find(by: Person, list: string, query: string, filter = ''): Promise<string[]> {
  const path = `/operator/${list}?query=${encodeURIComponent(query)}${filter}`
  const reply: Reply<Row[]> = await as<Row[]>(by, 'GET', path)
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body.map(({ _id }) => _id)
}

describe('a search of the deposits', () => {
  test('finds a part of the name or the e-mail address, ignoring case, and nobody else', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ name: 'Ana Quillfeather' })
    const other = await newInvestor({ name: 'Ben Other' })
    const [first, , second] = [await deposit(ana, '10'), await deposit(other, '20'), await deposit(ana, '30')]
    for (const query of [
      'quillf',
      'ANA QUILL',
      ana.email.slice(0, 18).toUpperCase(),
      ana.id,
      ' quillfeather ',
    ])
      expect([query, await find(operator, 'deposits', query)]).toEqual([query, [second, first]])
    expect(await find(operator, 'deposits', 'nobody by this name')).toEqual([])
  })

  test('searches wildcards, quotes and long texts literally', async () => {
    const operator = await newOperator()
    const odd = await newInvestor({ name: "50% O'Mara_x" })
    const id = await deposit(odd, '10')
    expect(await find(operator, 'deposits', '50%')).toEqual([id])
    expect(await find(operator, 'deposits', "o'mara_")).toEqual([id])
    for (const query of ['5%%x', '%', "' OR 1=1 --", '50_ O', '"', '\\', 'x'.repeat(120)])
      expect([query, (await find(operator, 'deposits', query)).includes(id)]).toEqual([query, query === '%'])
    const long = await as(operator, 'GET', `/operator/deposits?query=${'x'.repeat(121)}`)
    expect(long).toMatchObject({ status: 422, body: { fields: { query: expect.any(String) } } })
    expect(await find(operator, 'deposits', '', '&limit=1')).toEqual([id])
  })

  test('finds a reference or its beginning, an id, and a transaction id in any spelling', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    const id = await deposit(ana, '10', { txid: `0x${'ABCdef0011223344'.repeat(4)}` })
    const row = (await as<Row & { paymentTo: string }>(operator, 'GET', `/operator/deposits/${id}`)).body
    for (const query of [
      row.ref,
      row.ref.toLowerCase(),
      row.ref.slice(0, 9),
      id,
      'abcDEF0011223344'.repeat(4),
      `0x${'abcdef0011223344'.repeat(4)}`,
      'ABCdef00',
      '0xabcdef0011…3344',
    ])
      expect([query, await find(operator, 'deposits', query)]).toEqual([query, [id]])
    expect(await find(operator, 'withdrawals', row.ref)).toEqual([])
    expect(await find(operator, 'deposits', 'abcdef0')).toEqual([])
    for (const query of [row.paymentTo.slice(0, 6), `${row.paymentTo.slice(0, 8)}…js6s`])
      expect(await find(operator, 'deposits', query)).toContain(id)
    expect(await find(operator, 'deposits', row.paymentTo.slice(0, 5))).toEqual([])
    await approveDeposit(operator, id, { reference: `${txid('feed')}:7` })
    for (const query of [txid('feed'), txid('feed').slice(0, 8)])
      expect(await find(operator, 'deposits', query)).toEqual([id])
    const large = await deposit(ana, '9000')
    await approveDeposit(operator, large, { reference: txid('first of two') })
    expect(await find(operator, 'deposits', txid('first of two').toUpperCase())).toEqual([large])
  })

  test('goes with a status and pages without a gap', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ name: 'Petra Pagewise' })
    const filed: string[] = []
    for (let n = 0; n < 5; n++) filed.unshift(await deposit(ana, '10'))
    await as(operator, 'POST', `/operator/deposits/${filed[2]}/reject`, { reason: 'No' })
    expect(await find(operator, 'deposits', 'pagewise', '&status=rejected')).toEqual([filed[2]])
    const seen: string[] = []
    let path: string | undefined = '/operator/deposits?query=pagewise&limit=2'
    while (path !== undefined) {
      const page: Reply<Row[]> = await as<Row[]>(operator, 'GET', path)
      seen.push(...page.body.map(({ _id }) => _id))
      path = /<\/api\/v1(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1]
    }
    expect(seen).toEqual(filed)
  })
})

test('a search of the withdrawals finds both kinds, and an address by its beginning', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Wanda Wirecutter', availableCents: 1_000_00 })
  const [coin, bank] = [
    await withdrawal(ana, '10'),
    await withdrawal(ana, '20', '/withdrawals/online-service'),
  ]
  expect(await find(operator, 'withdrawals', 'wirecutter')).toEqual([bank, coin])
  const { address } = (await as<{ address: string }>(operator, 'GET', `/operator/withdrawals/${coin}`)).body
  for (const query of [address, address.slice(0, 12), `${address.slice(0, 6)}…${address.slice(-4)}`])
    expect(await find(operator, 'withdrawals', query)).toContain(coin)
  expect(await find(operator, 'withdrawals', address.slice(0, 5))).toEqual([])
})

test('identity documents, messages and proposals are searched too', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Ida Dentity', kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const [document] = (await as<Row[]>(operator, 'GET', '/operator/kyc?limit=1')).body
  for (const query of ['dentity', document?.ref ?? '', (document?.ref ?? '').slice(0, 8), ana.email])
    expect([query, await find(operator, 'kyc', query)]).toEqual([query, [document?._id]])
  expect(await find(operator, 'kyc', 'dentity', '&status=rejected')).toEqual([])

  await call('POST', '/contact-us', {
    json: { name: 'Åsa Ängel', email: 'Asa@Example.org', message: 'Hello there' },
  })
  const [message] = (await as<Row[]>(operator, 'GET', '/operator/messages?limit=1')).body
  for (const query of ['Ängel', 'asa@EXAMPLE.org'])
    expect([query, await find(operator, 'messages', query)]).toEqual([query, [message?._id]])
  expect(await find(operator, 'messages', 'asa@', '&status=closed')).toEqual([])

  const bonus = await propose(operator, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
  expect(await find(operator, 'proposals', 'dentity')).toEqual([bonus.body._id])
  expect(await find(operator, 'proposals', 'DENT', '&status=approved')).toEqual([])
})

test('a search reads the newest accounts, the open cases and one page of each match, however long the history', async () => {
  const operator = await newOperator()
  const [short, long] = [
    await newInvestor({ name: 'Sho Brevity' }),
    await newInvestor({ name: 'Lon Brevity', availableCents: 100 }),
  ]
  await deposit(short, '10')
  await addHistory(env.DB, long.id, 3_000)
  const people = (await env.DB.prepare('SELECT count(*) AS n FROM users').first<number>('n')) ?? 0
  const open =
    (await env.DB.prepare(
      "SELECT count(*) AS n FROM requests WHERE status IN ('pending', 'approved')",
    ).first<number>('n')) ?? 0
  const { token } = operator
  for (const path of ['withdrawals?query=Lon+Brev', 'withdrawals?query=Lon+Brev&status=cancelled']) {
    const found = await cost('GET', `/operator/${path}&limit=50`, { token })
    expect([path, found.status, found.body]).toMatchObject([path, 200, { length: 50 }])
    // Twice, because requests and their events are two reads. Each row comes with its investor, details, three events and the
    // check for withdrawn approvals, and with its assignment, hold, targets and steps. An open case comes with its investor.
    expect(found.counted.rowsRead).toBeLessThanOrEqual(2 * (people + 2 * open + 17 * 51) + 100)
    expect(found.counted.trips).toBe(2)
  }
  for (const query of ['WDR-1', 'r2999', 'a-transaction-id'])
    expect(
      (await cost('GET', `/operator/withdrawals?limit=1&query=${query}&status=pending`, { token })).status,
    ).toBe(200)
  const byRef = await cost('GET', '/operator/deposits?query=DEP-ZZZZZZZZ', { token })
  expect(byRef.counted.rowsRead).toBeLessThanOrEqual(22)
})
