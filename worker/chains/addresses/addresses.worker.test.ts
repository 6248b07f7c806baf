import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnnouncedDeposit } from '../../../src/contract/money/deposits.ts'
import type { Payment } from '../../../src/contract/money/payments.ts'
import type { Transaction, TransactionDetail } from '../../../src/contract/money/transactions.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import { callObserved, newWatchWallet } from '../../../test/support/watchWallets.ts'
import { renderPicture } from '../../money/wallets/wallets.ts'

let bitcoinWallet = ''
beforeAll(async () => {
  bitcoinWallet = await newWatchWallet('bitcoin')
  await newWatchWallet('ethereum')
})

async function walletsOf(person: Person): Promise<Map<string, Wallet>> {
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: person.token })
  return new Map(body.filter(({ own }) => own).map((wallet) => [wallet.network, wallet]))
}

async function addressOf(person: Person, network = 'btc'): Promise<string> {
  return (await walletsOf(person)).get(network)?.address ?? ''
}

const announce = (person: Person, fields: Record<string, string | Blob>) =>
  callObserved<AnnouncedDeposit & AnyBody>('POST', '/deposits', {
    token: person.token,
    form: { type: 'bitcoin', amount: '250.00', ...fields },
  })

const shown = async (person: Person, id: string) =>
  (await callObserved<TransactionDetail>('GET', `/transaction-history/${id}`, { token: person.token })).body

/** Records a payment as the observer does. */
async function paid(
  person: Person,
  address: string,
  reference = `${crypto.randomUUID().replaceAll('-', '').repeat(2)}:0`,
) {
  const id = crypto.randomUUID()
  await env.DB.prepare(
    `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, needed, checked_at)
     VALUES (?, 'btc', ?, ?, ?, '100000', 100000, 'seen', ?, 3, 1)`,
  )
    .bind(id, reference, address, person.id, Date.now())
    .run()
  return id
}

describe('an own address', () => {
  test('is given for each proved network, instead of its receiving wallets, and stays the same', async () => {
    const manual = await newWallet({ network: 'btc' })
    const tron = await newWallet({ network: 'usdt-trc20' })
    const ana = await newInvestor()
    const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
    const own = body.filter((wallet) => wallet.own)
    expect(own.map(({ network }) => network)).toEqual(['btc', 'eth', 'usdt-erc20', 'usdc-erc20'])
    expect(own[0]?.address).toMatch(/^bc1q/)
    // One account receives ether and tokens.
    expect(own[1]?.address).toBe(own[2]?.address)
    expect(body.map(({ address }) => address)).toContain(tron.address)
    expect(body.map(({ address }) => address)).not.toContain(manual.address)
    expect(await addressOf(ana)).toBe(own[0]?.address)
    expect(await addressOf(await newInvestor())).not.toBe(own[0]?.address)
  })

  test('is given once to calls at the same moment, each investor another one', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newInvestor()))
    const given = await Promise.all(people.flatMap((person) => [addressOf(person), addressOf(person)]))
    expect(new Set(given).size).toBe(6)
    const { results } = await env.DB.prepare(
      'SELECT position FROM deposit_addresses WHERE wallet = ? ORDER BY position',
    )
      .bind(bitcoinWallet)
      .all<{ position: number }>()
    expect(results.map(({ position }) => position)).toEqual(results.map((_, i) => i))
  })

  test('is followed by a new one once it was paid', async () => {
    const ana = await newInvestor()
    const first = await addressOf(ana)
    await paid(ana, first)
    const second = await addressOf(ana)
    expect(second).not.toBe(first)
    expect(await addressOf(ana)).toBe(second)
  })

  test('is given to nobody without an approved identity, and to nobody without servers', async () => {
    expect((await walletsOf(await newInvestor({ kyc: 'pending' }))).size).toBe(0)
    const { body } = await call<Wallet[]>('GET', '/admin-wallets', { token: (await newInvestor()).token })
    expect(body.some(({ own }) => own)).toBe(false)
  })

  test('has a picture that anybody with its path can see', async () => {
    const ana = await newInvestor()
    const wallet = (await walletsOf(ana)).get('btc')
    const path = (wallet?.image ?? '').replace('/api/v1', '')
    const shown = await callObserved<string>('GET', path)
    expect(shown.body).toBe(renderPicture({ address: wallet?.address ?? '', simulated: false }))
    expect(path).not.toContain(wallet?.address)
  })
})

describe('an announced deposit to an own address', () => {
  test('needs no receipt, and is quoted for half an hour', async () => {
    const ana = await newInvestor()
    const { status, body } = await announce(ana, { paymentTo: await addressOf(ana) })
    expect(status).toBe(201)
    expect(body.quote?.rate).toMatch(/^\d+(\.\d+)?$/)
    expect(Number(body.quote?.quantity) * Number(body.quote?.rate)).toBeCloseTo(250, 1)
    const minutes = (Date.parse(body.quote?.until ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(28)
    expect(minutes).toBeLessThanOrEqual(30)
    const [quote] = (
      await env.DB.prepare('SELECT network, address FROM deposit_quotes WHERE request = ?')
        .bind(body._id)
        .all()
    ).results
    expect(quote).toMatchObject({ network: 'btc', address: await addressOf(ana) })
  })

  test('says what to pay until it is paid, in the history and in a mail, and awaits no approval', async () => {
    const ana = await newInvestor()
    const address = await addressOf(ana)
    const { body } = await announce(ana, { paymentTo: address })
    expect(body.msg).toContain('awaits your payment')
    const awaited = { awaitsPayment: true, quote: body.quote }
    expect(await shown(ana, body._id)).toMatchObject(awaited)
    const { body: list } = await callObserved<Transaction[]>('GET', '/transaction-history', {
      token: ana.token,
    })
    expect(list).toEqual([expect.objectContaining(awaited)])
    const mail = await mailTo(ana.email, /awaits your payment/)
    expect(mail.text).toContain(`Pay ${body.quote?.quantity} BTC before `)
    expect(mail.text).toContain(`the price stays $${body.quote?.rate} for 1 BTC`)
    expect(mail.text).not.toContain(address)

    await paid(ana, address)
    const seen = await shown(ana, body._id)
    expect(seen).toMatchObject({ status: 'pending', awaitsPayment: false })
    expect(seen).not.toHaveProperty('quote')
    await env.DB.prepare("UPDATE payments SET state = 'gone' WHERE address = ?").bind(address).run()
    expect(await shown(ana, body._id)).toMatchObject(awaited)
  })

  test('may have a receipt', async () => {
    const ana = await newInvestor()
    expect((await announce(ana, { paymentTo: await addressOf(ana), image: newPicture() })).status).toBe(201)
  })

  test('is refused to another investor’s address, and to a receiving wallet of a proved network', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    for (const paymentTo of [await addressOf(ben), (await newWallet({ network: 'btc' })).address])
      expect(await announce(ana, { paymentTo, image: newPicture() })).toMatchObject({
        status: 422,
        body: { fields: { paymentTo: expect.any(String) } },
      })
  })

  test('of another network goes to its receiving wallet, with a receipt', async () => {
    const ana = await newInvestor()
    const { address } = await newWallet({ network: 'usdt-trc20' })
    const fields = { type: 'usdt', network: 'usdt-trc20', paymentTo: address }
    expect(await announce(ana, fields)).toMatchObject({
      status: 422,
      body: { fields: { image: expect.any(String) } },
    })
    const filed = await announce(ana, { ...fields, image: newPicture() })
    expect(filed).toMatchObject({ status: 201 })
    expect(await shown(ana, filed.body._id)).not.toHaveProperty('awaitsPayment')
  })

  test('can be cancelled, and is looked for on request', async () => {
    const ana = await newInvestor()
    const { body } = await announce(ana, { paymentTo: await addressOf(ana) })
    expect(await callObserved('POST', `/deposits/${body._id}/check`, { token: ana.token })).toMatchObject({
      status: 200,
    })
    expect(await callObserved('POST', '/payments/check', { token: ana.token })).toMatchObject({ status: 200 })
    expect(await callObserved('POST', `/deposits/${body._id}/cancel`, { token: ana.token })).toMatchObject({
      status: 200,
    })
    expect(await callObserved('POST', `/deposits/${body._id}/check`, { token: ana.token })).toMatchObject({
      status: 409,
      body: { code: 'not_pending' },
    })
  })
})

describe('observed payments', () => {
  test('are listed for their investor alone, newest first, with their progress in words', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const address = await addressOf(ana)
    const first = await paid(ana, address)
    const second = await paid(ana, address)
    const { body } = await callObserved<Payment[]>('GET', '/payments', { token: ana.token })
    expect(body.map(({ _id }) => _id)).toEqual([second, first])
    expect(body[0]).toMatchObject({
      network: 'btc',
      quantity: '0.001',
      state: 'seen',
      words: 'Seen. It waits for its first block.',
    })
    expect((await callObserved<Payment[]>('GET', '/payments', { token: ben.token })).body).toEqual([])
    const page = await callObserved<Payment[]>('GET', '/payments?limit=1', { token: ana.token })
    expect(page.body.map(({ _id }) => _id)).toEqual([second])
    expect(page.headers.get('Link')).toContain('rel="next"')
  })

  test('are looked for once a minute for each investor, so that one who asks again takes no look of another', async () => {
    await env.DB.prepare("DELETE FROM rate_counters WHERE key LIKE 'payment-checks:%'").run()
    const look = async ({ token }: Person) =>
      (await callObserved<{ msg: string }>('POST', '/payments/check', { token })).body.msg
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    for (const person of [ana, ben]) await addressOf(person)
    expect(await look(ana)).toContain('We have looked')
    for (let again = 0; again < 4; again++) expect(await look(ana)).toContain('within a minute')
    expect(await look(ben)).toContain('We have looked')
  })
})
