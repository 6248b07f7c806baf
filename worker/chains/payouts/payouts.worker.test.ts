import { env } from 'cloudflare:workers'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { encodePsbtFrames } from '../../../src/chain/bitcoin/animatedQr.ts'
import { hashBytes } from '../../../src/chain/bitcoin/bytes.ts'
import type { Coin } from '../../../src/chain/bitcoin/psbt.ts'
import { parseTransaction, serializeTransaction } from '../../../src/chain/bitcoin/transaction.ts'
import { toHex } from '../../../src/contract/bytes.ts'
import type { OperatorPayout, PayoutFees, PayoutRow } from '../../../src/contract/console/payouts.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import type { TransactionDetail } from '../../../src/contract/money/transactions.ts'
import { finalizePsbt, signPsbt, testWallet } from '../../../test/support/bitcoinWallet.ts'
import { type ChainServers, startChainServers, USDT } from '../../../test/support/chainServers.ts'
import { newCoin } from '../../../test/support/coins.ts'
import { signPayout, testKey } from '../../../test/support/ethereumChain.ts'
import { GOOD_ADDRESS } from '../../../test/support/filing.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveWithdrawal, as, completeWithdrawal, withdrawal } from '../../../test/support/operating.ts'
import {
  freshCode,
  newInvestor,
  newOperator,
  type Operator,
  type Person,
} from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newWatchWallet, retireWatchWallet } from '../../../test/support/watchWallets.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { checkRecent } from '../../console/selfCheck/recent.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { observePayments } from '../follow/observe.ts'
import { storeReserve } from '../reserves/books.ts'
import { groupReservesByDay, readReserves } from '../reserves/show.ts'
import { followPayouts } from './follow.ts'

const GWEI = 10n ** 9n

let servers: ChainServers
let approver: Operator
let payer: Operator
beforeAll(async () => {
  servers = startChainServers()
  approver = await newOperator({ name: 'Ada Approver' })
  payer = await newOperator({ name: 'Pia Payer' })
})
afterAll(() => servers.restore())
beforeEach(() => {
  servers.mood = 'well'
})

const PATH = '/operator/payouts'
let names = 0

/** A new active wallet with coins of these satoshi. */
async function bitcoinWallet(satoshi: readonly number[], kind: 'wpkh' | 'wsh-sortedmulti' = 'wpkh') {
  const wallet = testWallet(kind, { name: `payouts ${++names}`, network: 'mainnet' })
  const id = await newWatchWallet('bitcoin', { descriptor: wallet.descriptor.text, account: '' })
  for (const value of satoshi) await newCoin(id, wallet.address, (index) => wallet.coin(BigInt(value), index))
  return wallet
}

async function approved(
  amount: string,
  person?: Person,
  fields: Record<string, string> = {},
): Promise<string> {
  const ana = person ?? (await newInvestor({ availableCents: 100_000_00 }))
  const id = await withdrawal(ana, amount, '/withdrawals', fields)
  expect((await approveWithdrawal(approver, id)).status).toBe(200)
  return id
}

const build = (by: Operator, withdrawals: readonly string[], chain = 'bitcoin', fee = 5) =>
  as<OperatorPayout>(by, 'POST', PATH, { chain, withdrawals, fee })

async function release(by: Operator, id: string, signed: string) {
  const reply = await as<OperatorPayout>(by, 'POST', `${PATH}/${id}/release`, { signed })
  if (reply.body.reasons?.[0] !== 'bound_factor') return reply
  return as<OperatorPayout>(by, 'POST', `${PATH}/${id}/release`, { signed, code: await freshCode(by) })
}

const shown = async (id: string) => (await as<OperatorPayout>(payer, 'GET', `${PATH}/${id}`)).body

/** A block of our own chain with one transaction at this height, or without any. */
async function mine(height: number, txid: string | null): Promise<void> {
  const root = txid === null ? '00'.repeat(32) : toHex(hashBytes(txid, 'The id'))
  const header = `01000000${'00'.repeat(32)}${root}${'00'.repeat(12)}`
  await env.DB.prepare(
    `INSERT INTO bitcoin_headers (height, hash, header, work, period_start) VALUES (?1, ?2, ?3, ?4, 0)
     ON CONFLICT (height) DO UPDATE SET hash = excluded.hash, header = excluded.header`,
  )
    .bind(height, crypto.randomUUID().replaceAll('-', '').repeat(2), header, '0'.repeat(64))
    .run()
  for (const server of ['one', 'two'])
    await env.DB.prepare(
      `INSERT INTO chain_servers (chain, server, height) VALUES ('bitcoin', ?1, ?2)
       ON CONFLICT (chain, server) DO UPDATE SET height = excluded.height`,
    )
      .bind(server, height)
      .run()
  if (txid !== null) servers.mined.set(txid, height)
}

let minute = Math.ceil(Date.now() / 60_000)

/** Runs the cron job until it has looked at every open payout: each run has few calls. */
async function follow(): Promise<void> {
  for (let run = 0; run < 12; run++) await followPayouts(env, openDatabase(env.DB), 60_000 * ++minute)
}

const custody = (ref: string) =>
  env.DB.prepare('SELECT asset, quantity, code FROM custody_entries WHERE ref = ?').bind(ref).first()

test('without servers, two operators pay by hand what is in no payout, and the case says why', async () => {
  await bitcoinWallet([3_000_000])
  const id = await approved('642')
  const { BITCOIN_SERVERS, ETHEREUM_SERVERS } = env
  Object.assign(env, { BITCOIN_SERVERS: '', ETHEREUM_SERVERS: '' })
  onTestFinished(() => void Object.assign(env, { BITCOIN_SERVERS, ETHEREUM_SERVERS }))
  await env.DB.exec('DELETE FROM chain_servers')
  const path = `/operator/withdrawals/${id}`
  const shownTo = async (by: Operator) => (await as<OperatorWithdrawal>(by, 'GET', path)).body
  expect(await shownTo(approver)).toMatchObject({
    paidByChain: false,
    toSend: { quantity: '0.01' },
    alone: { needsTwo: true, reasons: expect.arrayContaining(['no_servers']) },
  })
  expect(await completeWithdrawal(approver, id)).toMatchObject({
    status: 403,
    body: { code: 'second_operator_required' },
  })
  // The database knows the servers that were asked last.
  await env.DB.exec("INSERT INTO chain_servers (chain, server) VALUES ('bitcoin', 'one')")
  expect(await completeWithdrawal(payer, id)).toMatchObject({ status: 409, body: { code: 'paid_by_chain' } })
  // The cron forgets them once none is configured.
  await observePayments(env, openDatabase(env.DB), Date.now())
  const paid = await completeWithdrawal(payer, id, { fee: '0.00001' })
  expect(paid).toMatchObject({ status: 200, body: { sent: { quantity: '0.01', fee: '0.00001' } } })
})

describe('a payout on Bitcoin', () => {
  test('carries the transactions that created its coins, also those of exchanges that pay many people at once', async () => {
    const wallet = testWallet('wpkh', { name: 'exchange', network: 'mainnet' })
    const id = await newWatchWallet('bitcoin', { descriptor: wallet.descriptor.text, account: '' })
    const enlarge = (coin: Coin, outputs: number): Coin => {
      const parent = parseTransaction(coin.rawTransaction ?? '')
      const others = Array.from({ length: outputs }, () => ({
        script: `0014${'ab'.repeat(20)}`,
        value: 1_000n,
      }))
      const rawTransaction = serializeTransaction({ ...parent, outputs: [...parent.outputs, ...others] })
      return { ...coin, txid: parseTransaction(rawTransaction).txid, rawTransaction }
    }
    // 31 kB, then 155 kB each. The third of these would be too much together.
    for (const [satoshi, outputs] of [
      [400_000, 1_000],
      [300_000, 5_000],
      [290_000, 5_000],
      [280_000, 5_000],
    ] as const)
      await newCoin(id, wallet.address, (index) => enlarge(wallet.coin(BigInt(satoshi), index), outputs))
    const { body } = await build(payer, [await approved('700')])
    const psbt = Transaction.fromPSBT(base64.decode(body.unsigned ?? ''))
    const parents = Array.from({ length: psbt.inputsLength }, (_, i) => psbt.getInput(i).nonWitnessUtxo)
    const counts = parents.map((parent) => parent?.outputs.length ?? 0)
    expect(counts.toSorted((left, right) => left - right)).toEqual([0, 1_002, 5_002, 5_002])
  })

  test('pays several withdrawals, is signed outside, and completes them once the chain confirms it', async () => {
    const wallet = await bitcoinWallet([3_000_000, 2_000_000])
    const [ana, ben] = [
      await newInvestor({ availableCents: 2000_00 }),
      await newInvestor({ availableCents: 2000_00 }),
    ]
    const ids = [await approved('642', ana), await approved('1284', ben)]
    const built = await build(payer, ids)
    expect(built.status).toBe(201)
    expect(built.body).toMatchObject({
      chain: 'bitcoin',
      state: 'built',
      words: 'It waits for a signature.',
      amount: 1926,
      withdrawals: 2,
      txid: null,
      needed: 3,
      items: [
        {
          _id: ids[0],
          investor: { _id: ana.id },
          network: 'btc',
          address: GOOD_ADDRESS,
          quantity: '0.01',
          amount: 642,
        },
        { _id: ids[1], investor: { _id: ben.id }, quantity: '0.02', rate: '64200' },
      ],
      signatures: { have: 0, need: 1 },
      versions: [{ version: 1, txid: null }],
    })
    for (const [query, isThere] of [
      ['state=built', true],
      ['state=released', false],
      [`person=${ben.id}`, true],
      [`person=${payer.id}`, false],
      ['coin=bitcoin&amountFrom=1926&amountTo=1926', true],
      ['coin=ethereum', false],
      ['amountTo=1925.99', false],
      ['from=2001-01-01', true],
      ['to=2001-01-01', false],
    ] as const) {
      const { body } = await as<PayoutRow[]>(payer, 'GET', `${PATH}?${query}`)
      expect([query, body.some(({ _id }) => _id === built.body._id)]).toEqual([query, isThere])
    }
    const { _id: id, unsigned } = built.body
    expect(built.body.change?.address).toBe(wallet.address(0, 'change'))
    expect(await shown(id)).toEqual(built.body)
    // The same withdrawals are in no other payout, and nobody completes them by hand.
    expect(await build(payer, ids)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await completeWithdrawal(payer, ids[0] ?? '')).toMatchObject({
      status: 409,
      body: { code: 'paid_by_chain' },
    })
    const before = await as<OperatorWithdrawal>(payer, 'GET', `/operator/withdrawals/${ids[0]}`)
    expect(before.body).toMatchObject({
      paidByChain: true,
      payout: { _id: id, state: 'built', quantity: '0.01', rate: '64200', txid: null, confirmations: 0 },
    })

    const signed = signPsbt(unsigned ?? '', wallet.devices)
    // Whoever approved one of them does not release it.
    expect(await release(approver, id, signed)).toMatchObject({
      status: 403,
      body: {
        code: 'second_operator_required',
        msg: 'You approved a withdrawal of this payout. Another operator must release it.',
      },
    })
    expect(servers.sent.size).toBe(0)
    const released = await release(payer, id, signed)
    expect(released).toMatchObject({ status: 200, body: { state: 'released', unsigned: null } })
    const txid = released.body.txid ?? ''
    await expect.poll(() => servers.sent.get(txid)).toBe(finalizePsbt(signed))
    expect(await release(payer, id, signed)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const reject = await as(payer, 'POST', `/operator/withdrawals/${ids[0]}/reject`, { reason: 'Too late' })
    expect(reject).toMatchObject({ status: 409, body: { code: 'payout_sent' } })
    expect(await as(payer, 'POST', `${PATH}/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'payout_sent' },
    })
    const own = await as<TransactionDetail>(ana, 'GET', `/transaction-history/${ids[0]}`)
    expect(own.body.payout).toEqual({ quantity: '0.01', rate: '64200', txid, confirmations: 0, needed: 3 })

    await mine(900_000, txid)
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'released', confirmations: 1, block: { height: 900_000 } })
    await mine(900_001, null)
    await follow()
    expect(await booksOf(ana.id)).toMatchObject({ held: 642_00, withdrawals: 0 })
    await mine(900_002, null)
    await follow()
    const confirmed = await shown(id)
    expect(confirmed).toMatchObject({ state: 'confirmed', confirmations: 3, txid, problem: null })
    expect(await booksOf(ana.id)).toMatchObject({ available: 1358_00, held: 0, withdrawals: 642_00 })
    expect(await booksOf(ben.id)).toMatchObject({ held: 0, withdrawals: 1284_00 })
    const after = await as<OperatorWithdrawal>(payer, 'GET', `/operator/withdrawals/${ids[1]}`)
    expect(after.body).toMatchObject({
      status: 'completed',
      steps: [
        { step: 'filed' },
        { step: 'accepted', by: { name: 'Ada Approver' } },
        { step: 'approved', by: { name: 'Ada Approver' } },
        { step: 'built', by: { _id: payer.id } },
        { step: 'released', by: { _id: payer.id } },
        { step: 'paid', by: { name: 'System' } },
      ],
      reference: `${txid}:1`,
      payout: { state: 'confirmed', txid, confirmations: 3 },
    })
    expect(await custody(ids[0] ?? '')).toEqual({ asset: 'bitcoin', quantity: -1_000_000, code: 'out' })
    const fee = Math.round(Number(confirmed.fee) * 1e8)
    expect(await custody(id)).toEqual({ asset: 'bitcoin', quantity: -fee, code: 'network_fee' })
    expect((await mailTo(ana.email, /was paid/)).text).toContain(`${txid}:0`)
    // Running again changes nothing.
    await follow()
    expect(await booksOf(ana.id)).toMatchObject({ withdrawals: 642_00 })

    // Its change is a coin for the next payout, which has a change address of its own.
    const next = await build(payer, [await approved('1000')])
    expect(next.body.coins).toContainEqual({ coin: `${txid}:2`, quantity: confirmed.change?.quantity })
    expect(next.body.change?.address).toBe(wallet.address(1, 'change'))
  })

  test('that comes back changed is refused, with words that name the difference', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const { _id: id, unsigned } = (await build(payer, [await approved('642')])).body
    await bitcoinWallet([5_000_000])
    const other = wallet
    const foreign = signPsbt(unsigned ?? '', testWallet('wpkh', { name: 'a thief' }).devices)
    expect(await release(payer, id, foreign)).toMatchObject({ status: 422 })
    for (const signed of ['nonsense', unsigned ?? '', 'cHNidP8='])
      expect([signed, (await release(payer, id, signed)).status]).toEqual([signed, 422])
    const raw = finalizePsbt(signPsbt(unsigned ?? '', other.devices))
    const tampered = raw.replace('40420f0000000000', '41420f0000000000')
    expect(tampered).not.toBe(raw)
    const reply = await release(payer, id, tampered)
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'signed_differs', fields: { signed: expect.any(String) } },
    })
    expect(reply.body.msg).toContain('The amount of output 1 of 2 differs from what was approved.')
    const refused = env.DB.prepare(
      "SELECT count(*) AS n FROM audit_log WHERE action = 'payout.release_mismatched' AND subject = ?",
    ).bind(id)
    // A foreign signature, none, and the changed amount. A file that is no transaction is not compared.
    expect(await refused.first<number>('n')).toBe(3)
    // A raw transaction and an animated QR code are as good as a file.
    const frames = encodePsbtFrames(base64.decode(signPsbt(unsigned ?? '', wallet.devices)))
    expect(frames.length).toBeGreaterThan(1)
    expect(await release(payer, id, frames[0] ?? '')).toMatchObject({
      status: 422,
      body: { fields: { signed: expect.stringContaining('missing') } },
    })
    expect((await release(payer, id, frames.join('\n'))).status).toBe(200)
  })

  test('of a multisignature wallet collects signatures, one file after the other', async () => {
    const wallet = await bitcoinWallet([5_000_000], 'wsh-sortedmulti')
    const { _id: id, unsigned, signatures } = (await build(payer, [await approved('642')])).body
    expect(signatures).toEqual({ have: 0, need: 2 })
    const [one, two] = wallet.devices.map((device) => signPsbt(unsigned ?? '', [device]))
    // Also one of the approvers may sign, because the signature alone releases nothing.
    const first = await release(approver, id, one ?? '')
    expect(first).toMatchObject({
      status: 202,
      body: {
        state: 'built',
        words: 'It has 1 of 2 signatures and waits for the others.',
        signatures: { have: 1, need: 2 },
        steps: [{ step: 'built' }, { step: 'signed', by: { _id: approver.id } }],
        missing: expect.arrayContaining([{ _id: payer.id, name: payer.name }]),
      },
    })
    expect((await mailTo(approver.email, /^A payout waits for your signature$/)).text).toContain(
      'It takes 2 signatures.',
    )
    expect(first.body.missing).not.toContainEqual(expect.objectContaining({ _id: approver.id }))
    expect(await release(payer, id, one ?? '')).toMatchObject({
      status: 422,
      body: { fields: { signed: expect.any(String) } },
    })
    expect((await shown(id)).signatures).toEqual({ have: 1, need: 2 })
    const second = await release(payer, id, two ?? '')
    expect(second).toMatchObject({
      status: 200,
      body: { state: 'released', signatures: { have: 2, need: 2 } },
    })
    await expect.poll(() => servers.sent.has(second.body.txid ?? '')).toBe(true)
  })

  test('that no server takes is sent again by the cron job, and never built twice', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const { _id: id, unsigned } = (await build(payer, [await approved('642')])).body
    servers.mood = 'silent'
    const { txid } = (await release(payer, id, signPsbt(unsigned ?? '', wallet.devices))).body
    expect(servers.sent.has(txid ?? '')).toBe(false)
    servers.mood = 'refusing'
    await settled(id, 'not_accepted')
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'released', problem: 'not_accepted' })
    servers.mood = 'well'
    await follow()
    expect(servers.sent.has(txid ?? '')).toBe(true)
    expect(await shown(id)).toMatchObject({
      problem: null,
      words: 'It was sent and waits for its first block.',
    })
  })

  test('is replaced with a higher fee, and either version completes it', async () => {
    const wallet = await bitcoinWallet([1_010_000, 900_000])
    const withdrawn = await approved('642')
    const first = (await build(payer, [withdrawn], 'bitcoin', 2)).body
    expect(await as(payer, 'POST', `${PATH}/${first._id}/replace`, { fee: 9 })).toMatchObject({ status: 409 })
    const sent = (await release(payer, first._id, signPsbt(first.unsigned ?? '', wallet.devices))).body
    const second = await as<OperatorPayout>(payer, 'POST', `${PATH}/${first._id}/replace`, { fee: 20 })
    expect(second).toMatchObject({
      status: 201,
      body: { state: 'released', txid: sent.txid, versions: [{}, { txid: null }] },
    })
    expect(Number(second.body.versions[1]?.fee)).toBeGreaterThan(Number(first.fee))
    const unsigned = second.body.unsigned ?? ''
    expect(await release(approver, first._id, signPsbt(unsigned, wallet.devices))).toMatchObject({
      status: 403,
    })
    const replaced = (await release(payer, first._id, signPsbt(unsigned, wallet.devices))).body
    expect(replaced.txid).not.toBe(sent.txid)
    // The first version is mined after all, and no server takes the second one any more.
    await mine(910_000, sent.txid)
    servers.sent.delete(replaced.txid ?? '')
    servers.mood = 'refusing'
    await follow()
    servers.mood = 'well'
    await mine(910_001, null)
    await mine(910_002, null)
    await follow()
    expect(await shown(first._id)).toMatchObject({ state: 'confirmed', txid: sent.txid, fee: first.fee })
    const reply = await as<OperatorWithdrawal>(payer, 'GET', `/operator/withdrawals/${withdrawn}`)
    expect(reply.body.reference).toBe(`${sent.txid}:0`)
  })

  test('loses its block to a reorganisation: before it is deep it waits again, afterwards the alarm says so', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const { _id: id, unsigned } = (await build(payer, [await approved('642')])).body
    const { txid } = (await release(payer, id, signPsbt(unsigned ?? '', wallet.devices))).body
    await mine(920_000, txid)
    await follow()
    expect(await shown(id)).toMatchObject({ confirmations: 1 })
    servers.mined.delete(txid ?? '')
    await mine(920_000, null)
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'released', block: null, confirmations: 0 })
    await mine(920_001, txid)
    await mine(920_002, null)
    await mine(920_003, null)
    await follow()
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'confirmed', block: { height: 920_001 } })
    await mine(920_001, null)
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'confirmed', problem: 'gone' })
  })

  test('that its withdrawals, its fee or its state do not show is found by the self-check', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const withdrawal = await approved('642')
    const { _id: id, unsigned } = (await build(payer, [withdrawal])).body
    const { txid } = (await release(payer, id, signPsbt(unsigned ?? '', wallet.devices))).body
    await mine(925_000, txid)
    await follow()
    await mine(925_001, null)
    await mine(925_002, null)
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'confirmed' })
    const findings = async () =>
      (await checkRecent(openDatabase(env.DB), null, Date.now())).findings.filter(
        (finding) => finding.includes(id) || finding.includes(withdrawal),
      )
    expect(await findings()).toEqual([])
    const change = (sql: string, of: string) => env.DB.prepare(sql).bind(of).run()
    await withTriggerDropped(env.DB, 'custody_entries_no_update', async () => {
      await change(
        "UPDATE custody_entries SET quantity = quantity - 1 WHERE ref = ? AND code = 'out'",
        withdrawal,
      )
      expect(await findings()).toContain(
        `Request ${withdrawal} was paid by the payout ${id} and is not completed as it says`,
      )
      await change(
        "UPDATE custody_entries SET quantity = quantity + 1 WHERE ref = ? AND code = 'out'",
        withdrawal,
      )
      await change("UPDATE custody_entries SET ref = 'another' WHERE ref = ?", id)
      expect(await findings()).toEqual([`Payout ${id} was mined and has no network fee in custody`])
      await change("UPDATE custody_entries SET ref = ? WHERE ref = 'another'", id)
    })
    await withTriggerDropped(env.DB, 'payouts_follow', async () => {
      await change("UPDATE payouts SET state = 'released' WHERE id = ?", id)
      expect(await findings()).toEqual([
        `Request ${withdrawal} was completed by the system without a confirmed payout`,
      ])
      await change("UPDATE payouts SET state = 'confirmed' WHERE id = ?", id)
    })
    expect(await findings()).toEqual([])
  })

  test('is not completed while a server has a fault', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const { _id: id, unsigned } = (await build(payer, [await approved('642')])).body
    const { txid } = (await release(payer, id, signPsbt(unsigned ?? '', wallet.devices))).body
    await mine(930_000, txid)
    await mine(930_001, null)
    await mine(930_002, null)
    const fault = (since: number | null) =>
      env.DB.prepare("UPDATE chain_servers SET failing_since = ? WHERE server = 'two'").bind(since).run()
    await fault(1)
    await follow()
    await follow()
    expect(await shown(id)).toMatchObject({ state: 'released', confirmations: 3 })
    await fault(null)
    await follow()
    expect((await shown(id)).state).toBe('confirmed')
  })

  test('is cancelled while it is not sent, and frees its withdrawal and its coins', async () => {
    await bitcoinWallet([1_100_000])
    const id = await approved('642')
    const first = (await build(payer, [id])).body
    expect(await build(payer, [await approved('600')])).toMatchObject({
      status: 409,
      body: { code: 'not_enough_coins' },
    })
    const cancelled = await as<OperatorPayout>(approver, 'POST', `${PATH}/${first._id}/cancel`)
    expect(cancelled).toMatchObject({
      status: 200,
      body: {
        state: 'cancelled',
        words: expect.stringContaining('another payout of its withdrawals spends the same coin'),
      },
    })
    expect((await as(payer, 'POST', `${PATH}/${first._id}/cancel`)).status).toBe(409)
    expect((await release(payer, first._id, first.unsigned ?? '')).status).not.toBe(200)
    // Whoever has its file could sign it, so the next one spends the same coin.
    expect((await build(payer, [id])).body.coins).toEqual(first.coins)
    const list = await as<PayoutRow[]>(payer, 'GET', `${PATH}?state=cancelled`)
    expect(list.body.map(({ _id }) => _id)).toContain(first._id)
    expect(list.body.every(({ state }) => state === 'cancelled')).toBe(true)
  })

  test('uses no coin that a server calls spent, or whose transaction no server knows', async () => {
    const wallet = await bitcoinWallet([3_000_000, 2_000_000, 1_500_000])
    servers.unknown.add(wallet.coin(3_000_000n, 0).txid)
    const { txid, vout } = wallet.coin(2_000_000n, 1)
    servers.spent.add(`${txid}:${vout}`)
    const { body } = await build(payer, [await approved('642')])
    expect(body.coins).toMatchObject([{ quantity: '0.015' }])
    await as(payer, 'POST', `${PATH}/${body._id}/cancel`)
    servers.mood = 'silent'
    expect(await build(payer, [await approved('30')])).toMatchObject({ status: 503 })
  })

  test('is refused for what may not be paid', async () => {
    await bitcoinWallet([50_000_000])
    const ana = await newInvestor({ availableCents: 10_000_00 })
    const pending = await withdrawal(ana, '100')
    expect(await build(payer, [pending])).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const bank = await withdrawal(ana, '100', '/withdrawals/online-service')
    await approveWithdrawal(approver, bank)
    expect(await build(payer, [bank])).toMatchObject({
      status: 422,
      body: { fields: { withdrawals: expect.any(String) } },
    })
    // Without the minimum of the network, which would refuse it when it is filed.
    await setSetting('minimums', { btc: 0 })
    const dust = await approved('0.10', ana)
    expect(await build(payer, [dust])).toMatchObject({
      status: 422,
      body: { fields: { withdrawals: expect.any(String) } },
    })
    const good = await approved('100', ana)
    expect(await build(payer, [good], 'ethereum')).toMatchObject({
      status: 409,
      body: { code: 'network_not_proved' },
    })
    for (const [json, field] of [
      [{ chain: 'bitcoin', withdrawals: [], fee: 5 }, 'withdrawals'],
      [{ chain: 'bitcoin', withdrawals: [good, good], fee: 5 }, 'withdrawals'],
      [{ chain: 'bitcoin', withdrawals: ['nothing'], fee: 5 }, 'withdrawals'],
      [{ chain: 'dogecoin', withdrawals: [good], fee: 5 }, 'chain'],
      [{ chain: 'bitcoin', withdrawals: [good], fee: 0 }, 'fee'],
      [{ chain: 'bitcoin', withdrawals: [good], fee: 1001 }, 'fee'],
      [{ chain: 'bitcoin', withdrawals: [good], fee: '5' }, 'fee'],
    ] as const) {
      const reply = await as(payer, 'POST', PATH, json)
      expect([json, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([json, 422, [field]])
    }
    const { _id: id } = (await build(payer, [good])).body
    await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
      .bind(ana.id)
      .run()
    const { unsigned } = await shown(id)
    expect(unsigned).not.toBe(null)
    expect(await build(payer, [await approvedFrozen(ana)])).toMatchObject({
      status: 403,
      body: { code: 'account_frozen' },
    })

    async function approvedFrozen(person: Person): Promise<string> {
      await env.DB.prepare('UPDATE users SET frozen_at = NULL, frozen_reason = NULL WHERE id = ?')
        .bind(person.id)
        .run()
      const frozen = await approved('100', person)
      await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
        .bind(person.id)
        .run()
      return frozen
    }
  })

  test('is neither built nor signed while an investor may be on the sanctions list, and says whose withdrawal it is', async () => {
    const wallet = await bitcoinWallet([50_000_000], 'wsh-sortedmulti')
    const ana = await newInvestor({ availableCents: 10_000_00 })
    const [id, other] = [await approved('100', ana), await approved('100')]
    const { _id: payout, items, unsigned } = (await build(payer, [other, id])).body
    const next = await approved('100', ana)
    await env.DB.prepare(
      "INSERT INTO sanctions_hits (id, investor, entries, found_at) VALUES (?1, ?1, '[]', 1)",
    )
      .bind(ana.id)
      .run()
    const [one] = wallet.devices.map((device) => signPsbt(unsigned ?? '', [device]))
    const ref = items.find(({ _id }) => _id === id)?.ref
    expect(await release(approver, payout, one ?? '')).toMatchObject({
      status: 409,
      body: { code: 'sanctions_hit_open', msg: expect.stringMatching(`^${ref}: .*under Sanctions`) },
    })
    expect((await shown(payout)).signatures).toEqual({ have: 0, need: 2 })
    expect(await build(payer, [next])).toMatchObject({
      status: 409,
      body: { code: 'sanctions_hit_open', msg: expect.stringMatching(/^WDR-/) },
    })
  })

  test('to a deposit address of the platform is refused', async () => {
    const wallet = await bitcoinWallet([50_000_000])
    const id = await approved('100', undefined, { address: wallet.address(0) })
    const reply = await build(payer, [id])
    expect(reply).toMatchObject({ status: 422 })
    expect(reply.body.msg).toContain('a deposit address of this platform')
  })

  test('is not released while the reserves are short', async () => {
    const wallet = await bitcoinWallet([5_000_000])
    const { _id: id, unsigned } = (await build(payer, [await approved('642')])).body
    const signed = signPsbt(unsigned ?? '', wallet.devices)
    const db = openDatabase(env.DB)
    const counted = (day: string, units: bigint) =>
      runBatch(db, [
        storeReserve(
          { day, asset: 'bitcoin', chain: 'bitcoin', height: 1, hash: 'ab', units, booked: 1_000_000n },
          Date.now(),
        ),
      ])
    await counted('1998-01-01', 989_999n)
    expect(await release(payer, id, signed)).toMatchObject({
      status: 409,
      body: { code: 'reserve_shortfall' },
    })
    // The setting allows one part in a hundred.
    await counted('1998-01-02', 990_000n)
    expect(await release(payer, id, signed)).toMatchObject({ status: 200 })
    const shown = groupReservesByDay(await readReserves(db, ['1998-01-01', '1998-01-02', '1998-01-03']))
    expect(shown.get('1998-01-03')).toBe(undefined)
    expect(shown.get('1998-01-01')).toEqual([
      {
        asset: 'bitcoin',
        chain: 'bitcoin',
        onChain: '0.00989999',
        booked: '0.01',
        difference: '-0.00010001',
        stopsPayouts: true,
        block: { height: 1, hash: 'ab' },
        at: expect.any(String),
      },
    ])
  })

  test('is seen by auditors and changed by treasurers alone', async () => {
    await bitcoinWallet([5_000_000])
    const { _id: id } = (await build(payer, [await approved('642')])).body
    const auditor = await newOperator({ roles: ['auditor'] })
    expect((await as(auditor, 'GET', `${PATH}/${id}`)).status).toBe(200)
    for (const step of ['release', 'replace', 'cancel'])
      expect((await as(auditor, 'POST', `${PATH}/${id}/${step}`, {})).status).toBe(403)
    expect((await as(payer, 'GET', `${PATH}/nothing`)).status).toBe(404)
    expect((await as(await newInvestor(), 'GET', PATH)).status).toBe(403)
  })
})

/** Waits until the work behind an answer has noted a problem. */
async function settled(id: string, problem: string): Promise<void> {
  await expect.poll(async () => (await shown(id)).problem).toBe(problem)
}

describe('a payout on Ethereum', () => {
  const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const treasury = { steps: '/1/0' }
  beforeAll(() => newWatchWallet('ethereum', { descriptor: '', account: testKey().publicExtendedKey }))

  const ether = (amount: string) =>
    approved(amount, undefined, { type: 'ethereum', network: 'eth', address: RECEIVER })

  test('of ether is built from the treasury, signed and sent', async () => {
    const id = await ether('315')
    const built = await build(payer, [id], 'ethereum', 30)
    expect(built.status).toBe(201)
    expect(built.body).toMatchObject({
      chain: 'ethereum',
      needed: 64,
      coins: [],
      change: null,
      items: [{ _id: id, network: 'eth', address: RECEIVER }],
      shown: { to: RECEIVER, symbol: 'ETH', contract: null, nonce: 7 },
      fee: String(Number((26_250n * 30n * GWEI) / GWEI) / 1e9),
    })
    expect(built.body.shown?.amount).toBe(built.body.items[0]?.quantity)
    const unsigned = built.body.unsigned as `0x${string}`
    const other = await release(payer, built.body._id, signPayout(unsigned, { steps: '/0/0' }))
    expect(other).toMatchObject({ status: 422, body: { code: 'signed_differs' } })
    const dearer = await release(
      payer,
      built.body._id,
      signPayout(unsigned, { ...treasury, change: { value: 1n } }),
    )
    expect(dearer.body.msg).toContain('The value of the signed transaction is 1.')
    const signed = signPayout(unsigned, treasury)
    expect(await release(approver, built.body._id, signed)).toMatchObject({ status: 403 })
    const released = await release(payer, built.body._id, signed)
    expect(released).toMatchObject({
      status: 200,
      body: { state: 'released', txid: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    await expect.poll(() => [...servers.sent.values()].includes(signed)).toBe(true)

    // The next payout takes the next nonce, and what was promised already is not there any more.
    const next = (await build(payer, [await ether('315')], 'ethereum', 30)).body
    expect(next.shown?.nonce).toBe(8)
    const dear = await ether('31500')
    expect(await build(payer, [dear], 'ethereum', 30)).toMatchObject({
      status: 409,
      body: { code: 'not_enough_coins' },
    })
    await as(payer, 'POST', `${PATH}/${next._id}/cancel`)
    const cheap = (await build(payer, [await ether('31.5')], 'ethereum', 30)).body
    expect(cheap.shown?.nonce).toBe(8)
    const later = (await build(payer, [await ether('31.5')], 'ethereum', 30)).body
    const read = (id: string) => as<OperatorPayout>(payer, 'GET', `${PATH}/${id}`)
    const blocked = {
      body: {
        blockedByNonce: 8,
        words: expect.stringContaining('before the nonce 8, whose payout was not sent'),
      },
    }
    expect(await read(cheap._id)).toMatchObject({ body: { blockedByNonce: null } })
    expect(await read(later._id)).toMatchObject(blocked)
    await as(payer, 'POST', `${PATH}/${cheap._id}/cancel`)
    expect(await read(later._id)).toMatchObject(blocked)

    const low = await as(payer, 'POST', `${PATH}/${built.body._id}/replace`, { fee: 31 })
    expect(low).toMatchObject({
      status: 422,
      body: { fields: { fee: expect.stringContaining('needs at least 33.75 gwei') } },
    })
    const replaced = await as<OperatorPayout>(payer, 'POST', `${PATH}/${built.body._id}/replace`, { fee: 60 })
    expect(replaced).toMatchObject({ status: 201, body: { shown: { nonce: 7 } } })
    const again = await release(
      payer,
      built.body._id,
      signPayout(replaced.body.unsigned as `0x${string}`, treasury),
    )
    expect(again).toMatchObject({
      status: 200,
      body: { versions: [{ version: 1 }, { version: 2, txid: again.body.txid }] },
    })
  })

  test('of USDT calls the token’s contract', async () => {
    const id = await approved('250', undefined, { type: 'usdt', network: 'usdt-erc20', address: RECEIVER })
    servers.account.gas = 60_000n
    const { body } = await build(payer, [id], 'ethereum', 30)
    expect(body.shown).toMatchObject({ to: RECEIVER, symbol: 'USDT', contract: USDT })
    servers.account.gas = null
    const failing = await approved('25', undefined, {
      type: 'usdt',
      network: 'usdt-erc20',
      address: RECEIVER,
    })
    expect(await build(payer, [failing], 'ethereum', 30)).toMatchObject({ status: 422 })
    servers.account.gas = 21_000n
    servers.account.tokens = 1n
    expect(await build(payer, [failing], 'ethereum', 30)).toMatchObject({
      status: 409,
      body: { code: 'not_enough_coins' },
    })
    servers.account.tokens = 10n ** 10n
    expect(await build(payer, [failing, id], 'ethereum', 30)).toMatchObject({ status: 422 })
    servers.mood = 'silent'
    expect(await build(payer, [failing], 'ethereum', 30)).toMatchObject({ status: 503 })
  })
})

test('fees are estimated by a server, with the expected wait', async () => {
  const fees = async (chain: string) => await as<PayoutFees>(payer, 'GET', `${PATH}/fees?chain=${chain}`)
  expect((await fees('bitcoin')).body).toEqual({
    chain: 'bitcoin',
    unit: 'sat/vB',
    choices: [
      { speed: 'slow', fee: 1, minutes: 1440 },
      { speed: 'normal', fee: 9.5, minutes: 60 },
      { speed: 'fast', fee: 21.32, minutes: 20 },
    ],
  })
  expect((await fees('ethereum')).body).toEqual({
    chain: 'ethereum',
    unit: 'gwei',
    choices: [
      { speed: 'slow', fee: 2.201, minutes: 5 },
      { speed: 'normal', fee: 4.001, minutes: 1 },
      { speed: 'fast', fee: 6.001, minutes: 0.5 },
    ],
  })
  expect((await fees('other')).status).toBe(422)
  servers.mood = 'silent'
  expect((await fees('bitcoin')).status).toBe(503)
})

test('without a wallet withdrawals are completed by hand as before', async () => {
  await retireWatchWallet('bitcoin')
  const id = await approved('642')
  expect(await build(payer, [id])).toMatchObject({ status: 409, body: { code: 'network_not_proved' } })
  expect((await completeWithdrawal(payer, id)).status).toBe(200)
})
