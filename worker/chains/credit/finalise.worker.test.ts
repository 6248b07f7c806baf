import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnnouncedDeposit } from '../../../src/contract/money/deposits.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { callObserved, newWatchWallet, WITH_SERVERS } from '../../../test/support/watchWallets.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { recordSightings, type SeenPayment } from '../follow/record.ts'
import { creditPayments } from './credit.ts'
import { priceFinalPayments } from './finalise.ts'

const db = openDatabase(env.DB)
const observed = { ...env, ...WITH_SERVERS }
beforeAll(async () => {
  await newWatchWallet('bitcoin')
  await newWatchWallet('ethereum')
})

let ana: Person
beforeEach(async () => {
  ana = await newInvestor()
})

async function addressOf({ token }: Person, paid: SeenPayment['network'] = 'btc'): Promise<string> {
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token })
  return body.find(({ network }) => network === paid)?.address ?? ''
}

async function announce(address: string, amount: string) {
  const form = { type: 'bitcoin', amount, paymentTo: address }
  const { body } = await callObserved<AnnouncedDeposit>('POST', '/deposits', { token: ana.token, form })
  return { id: body._id, units: BigInt(Math.round(Number(body.quote?.quantity) * 1e8)) }
}

const txid = () => crypto.randomUUID().replaceAll('-', '').repeat(2)
const block = { height: 900, hash: 'the block' }

/** `proof` is the payment's own part. */
type Seen = Partial<Omit<SeenPayment, 'proof'>> &
  Pick<SeenPayment, 'reference' | 'address'> & { proof?: string }

async function see({ proof, ...sighting }: Seen): Promise<void> {
  const shared = `${sighting.reference.slice(0, 64)}@block`
  const seen = {
    network: 'btc',
    investor: ana.id,
    quantity: 1_000n,
    block: null,
    proof: proof === undefined ? null : { shared, transaction: '{}', own: JSON.parse(proof) },
    ...sighting,
  } as const
  await runBatch(db, await recordSightings(db, [seen], Date.now()))
}

interface Row {
  readonly id: string
  readonly state: string
  readonly rule: string | null
  readonly request: string | null
  readonly investor: string
  readonly quantity: string
  readonly units: number
  readonly proof: string | null
}
const payment = async (reference: string) =>
  await env.DB.prepare('SELECT * FROM payments WHERE reference = ?').bind(reference).first<Row>()

test('two payments that become final together each have the quote of their own deposit', async () => {
  const address = await addressOf(ana)
  const announced = [await announce(address, '250.00'), await announce(address, '400.00')]
  const references = announced.map(() => `${txid()}:0`)
  for (const [i, { units }] of announced.entries())
    await see({ reference: references[i] ?? '', address, quantity: units, block, proof: '{}' })
  const rows = await Promise.all(references.map(payment))
  const deep = rows.map((row) => ({ id: row?.id ?? '', confirmations: 3, proof: '{}' }))
  await runBatch(db, await priceFinalPayments(observed, db, deep, Date.now()))
  await creditPayments(observed, db, Date.now())
  const credited = await Promise.all(references.map(payment))
  expect(credited.map((row) => [row?.state, row?.rule, row?.request])).toEqual(
    announced.map(({ id }) => ['credited', 'quote', id]),
  )
})

test('a payment of ether one percent below its quote keeps the quote, and one wei less counts by the price', async () => {
  const rules = []
  for (const less of [0n, 1n]) {
    // A new one after the first payment.
    const address = await addressOf(ana, 'eth')
    const form = { type: 'ethereum', amount: '333.33', paymentTo: address }
    const { body } = await callObserved<AnnouncedDeposit>('POST', '/deposits', { token: ana.token, form })
    const asked = BigInt(Math.round(Number(body.quote?.quantity) * 1e9)) * 10n ** 9n
    expect(asked % 10n ** 11n).not.toBe(0n)
    const reference = txid()
    const quantity = (asked * 99n) / 100n - less
    await see({ network: 'eth', reference, address, quantity, block, proof: '{}' })
    const id = (await payment(reference))?.id ?? ''
    await runBatch(
      db,
      await priceFinalPayments(observed, db, [{ id, confirmations: 64, proof: '{}' }], Date.now()),
    )
    rules.push((await payment(reference))?.rule)
    await creditPayments(observed, db, Date.now())
  }
  expect(rules).toEqual(['quote', 'price'])
})

test('the first proof corrects what one server said about a payment, and marks its address as paid', async () => {
  const ben = await newInvestor()
  const [claimed, real] = [await addressOf(ben), await addressOf(ana)]
  const reference = `${txid()}:1`
  await see({ reference, address: claimed, investor: ben.id, quantity: 9_000_000n })
  expect(await payment(reference)).toMatchObject({ investor: ben.id, quantity: '9000000', state: 'seen' })
  await see({ reference, address: real, quantity: 50_000n, block, proof: '{"real":true}' })
  expect(await payment(reference)).toMatchObject({
    investor: ana.id,
    quantity: '50000',
    units: 50_000,
    state: 'confirming',
    proof: `{"shared":"${reference.slice(0, 64)}@block","real":true}`,
  })
  expect(await addressOf(ana)).not.toBe(real)
})
