import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { decodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import { parseTransaction } from '../../src/chain/bitcoin/transaction.ts'
import type { BitcoinChain } from '../simulator/chains/bitcoin.ts'
import { finalizePsbt, signPsbt, type TestWallet, testWallet } from '../support/bitcoinWallet.ts'
import { signPayout, testAccount } from '../support/ethereumChain.ts'
import { RATES } from '../support/observing.ts'
import { type Paying, startPaying } from '../support/paying.ts'
import { openSimulatedChains } from '../support/simulatedChains.ts'
import { allowsScripts } from './consensus.ts'
import type { Hex } from './ethereum/control.ts'
import { type EthereumNode, startEthereum } from './ethereum.ts'

let platform: Paying
afterEach(() => platform.close())

interface Completed {
  readonly status: string
  readonly actor: string | null
  readonly reference: string | null
}

const stateOf = async (withdrawal: string) =>
  (
    await platform.rows<Completed>(
      `SELECT r.status, e.actor, e.reference FROM requests r LEFT JOIN request_events e ON e.request = r.id AND e.status = 'completed'
       WHERE r.id = ?`,
      withdrawal,
    )
  )[0]

const custodyOf = async (asset: string) =>
  (await platform.rows<{ balance: number }>('SELECT balance FROM custody_balances WHERE asset = ?', asset))[0]
    ?.balance

let names = 0

describe('a payout on Bitcoin', () => {
  let chain: BitcoinChain

  /** A platform whose customer has deposited coins to this wallet. */
  async function funded(kind: 'wpkh' | 'tr' | 'wsh-sortedmulti', satoshi: readonly number[]) {
    const wallet = testWallet(kind, { name: `payouts ${++names}` })
    const { bitcoin, bitcoinChain, fetch } = openSimulatedChains(`payouts ${names}`, allowsScripts)
    chain = bitcoinChain
    platform = await startPaying({
      bitcoin,
      fetch,
      wallets: { bitcoin: wallet.descriptor.text, ethereum: testAccount(0) },
    })
    for (let i = 0; i < 2; i++) await platform.tick()
    const ana = await platform.investor()
    for (const value of satoshi) {
      const script = decodeAddress(await platform.addressOf(ana, 'btc'), 'regtest')
      chain.pay([{ script, value: BigInt(value) }])
      await platform.tick()
    }
    await confirm()
    const expected = satoshi.reduce((sum, value) => sum + Math.floor((value * RATES.bitcoin) / 1_000_000), 0)
    expect(await platform.available(ana)).toBe(expected)
    return { wallet, ana }
  }

  async function confirm(blocks = 3): Promise<void> {
    for (let i = 0; i < blocks; i++) chain.mine({ nowMs: platform.now() })
    for (let i = 0; i < 3; i++) await platform.work()
  }

  const reorganise = (depth: number) => chain.reorganise(depth, [], { nowMs: platform.now(), share: 0 })

  const elsewhere = (index = 0) => testWallet('wpkh', { name: 'a customer' }).address(index)
  const build = (withdrawals: readonly string[], fee = 5) =>
    platform.pay('POST', '/operator/payouts', { chain: 'bitcoin', withdrawals, fee })
  const release = (id: string, signed: string) =>
    platform.pay('POST', `/operator/payouts/${id}/release`, { signed })
  const sign = (unsigned: string | null, { devices }: TestWallet) => signPsbt(unsigned ?? '', devices)

  const received = (address: string) => {
    const script = decodeAddress(address, 'regtest')
    return chain.coins().flatMap((coin) => (coin.script === script ? [Number(coin.value)] : []))
  }

  test.each(['wpkh', 'tr'] as const)(
    'signed outside with %s is mined, confirmed and completes its withdrawals',
    async (kind) => {
      const { wallet, ana } = await funded(kind, [700_000, 500_000])
      const before = await custodyOf('bitcoin')
      const addresses = [elsewhere(10 * ++names), elsewhere(10 * names + 1)]
      const ids = [
        await platform.approved(ana, 'btc', addresses[0] ?? '', 321_00),
        await platform.approved(ana, 'btc', addresses[1] ?? '', 64_20),
      ]
      const { status, body } = await build(ids)
      expect([status, body.msg]).toEqual([201, undefined])
      const signed = sign(body.unsigned, wallet)
      // One satoshi more for the first receiver.
      const raw = finalizePsbt(signed)
      const tampered = raw.replace('20a1070000000000', '21a1070000000000')
      expect(tampered).not.toBe(raw)
      expect(await release(body._id, tampered)).toMatchObject({
        status: 422,
        body: { code: 'signed_differs' },
      })
      const sent = await release(body._id, signed)
      expect(sent).toMatchObject({ status: 200, body: { state: 'released' } })
      await confirm(1)
      expect(await platform.payout(body._id)).toMatchObject({
        state: 'released',
        confirmations: 1,
        problem: null,
      })
      expect(await stateOf(ids[0] ?? '')).toMatchObject({ status: 'approved' })
      await confirm(2)
      expect(await platform.payout(body._id)).toMatchObject({ state: 'confirmed', txid: sent.body.txid })
      for (const [output, id] of ids.entries())
        expect(await stateOf(id)).toEqual({
          status: 'completed',
          actor: 'system',
          reference: `${sent.body.txid}:${output}`,
        })
      expect(received(addresses[0] ?? '')).toEqual([500_000])
      expect(received(addresses[1] ?? '')).toEqual([100_000])
      const fee = Math.round(Number(body.fee) * 1e8)
      expect(await custodyOf('bitcoin')).toBe((before ?? 0) - 600_000 - fee)
      // The change is the wallet's own, and pays the next withdrawal together with it.
      const next = await build([await platform.approved(ana, 'btc', elsewhere(10 * names + 2), 380_00)])
      expect(next.body.coins.map(({ coin }) => coin)).toContain(`${sent.body.txid}:2`)
      await release(next.body._id, sign(next.body.unsigned, wallet))
      await confirm(1)
      // The wallet holds what the books say, also while a payout is in a block and not completed yet.
      const reserves = await platform.reserves()
      expect(reserves.bitcoin).toMatchObject({ stops: 0, units: reserves.bitcoin?.booked })
      expect(reserves.bitcoin?.units).toBeGreaterThan(0)
      await confirm(2)
      expect(await platform.payout(next.body._id)).toMatchObject({ state: 'confirmed' })
    },
  )

  test('that does not confirm is replaced with a higher fee, and one of both is mined', async () => {
    const { wallet, ana } = await funded('wpkh', [900_000])
    const id = await platform.approved(ana, 'btc', elsewhere(900), 64_20)
    const first = await build([id], 2)
    const sent = await release(first.body._id, sign(first.body.unsigned, wallet))
    await platform.work()
    const replacement = await platform.pay('POST', `/operator/payouts/${first.body._id}/replace`, { fee: 12 })
    expect([replacement.status, replacement.body.msg]).toEqual([201, undefined])
    const replaced = await release(first.body._id, sign(replacement.body.unsigned, wallet))
    expect(replaced.status).toBe(200)
    expect(replaced.body.txid).not.toBe(sent.body.txid)
    // It has replaced the first one.
    expect(chain.view.mempool.map(({ txid }) => txid)).toEqual([replaced.body.txid])
    await confirm()
    expect(await platform.payout(first.body._id)).toMatchObject({
      state: 'confirmed',
      txid: replaced.body.txid,
    })
    expect(await stateOf(id)).toMatchObject({ reference: `${replaced.body.txid}:0` })
    expect(received(elsewhere(900))).toEqual([100_000])
  })

  test('of two of three keys is signed by two people, one after the other', async () => {
    const { wallet, ana } = await funded('wsh-sortedmulti', [900_000])
    const id = await platform.approved(ana, 'btc', elsewhere(901), 64_20)
    const { body } = await build([id])
    const [one, two] = wallet.devices.slice(1).map((device) => signPsbt(body.unsigned ?? '', [device]))
    expect(await release(body._id, one ?? '')).toMatchObject({
      status: 202,
      body: { signatures: { have: 1, need: 2 } },
    })
    expect(await release(body._id, two ?? '')).toMatchObject({ status: 200, body: { state: 'released' } })
    await confirm()
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect(received(elsewhere(901))).toEqual([100_000])
  })

  test('survives a reorganisation before it is deep, and is completed once', async () => {
    const { wallet, ana } = await funded('wpkh', [900_000])
    const id = await platform.approved(ana, 'btc', elsewhere(902), 64_20)
    const { body } = await build([id])
    const sent = await release(body._id, sign(body.unsigned, wallet))
    await confirm(2)
    expect(await platform.payout(body._id)).toMatchObject({ state: 'released', confirmations: 2 })
    reorganise(2)
    await platform.work()
    await platform.work()
    expect(await platform.payout(body._id)).toMatchObject({
      state: 'released',
      confirmations: 0,
      problem: null,
    })
    await confirm()
    expect(await stateOf(id)).toMatchObject({ status: 'completed', reference: `${sent.body.txid}:0` })
  })

  test('whose block is gone after it was confirmed is looked for, and the problem ends in another block', async () => {
    const { wallet, ana } = await funded('wpkh', [900_000])
    const id = await platform.approved(ana, 'btc', elsewhere(903), 64_20)
    const { body } = await build([id])
    await release(body._id, sign(body.unsigned, wallet))
    await confirm()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'confirmed', problem: null })
    reorganise(4)
    await platform.work()
    await platform.work()
    const gone = await platform.payout(body._id)
    expect(gone).toMatchObject({ state: 'confirmed', problem: 'gone' })
    await confirm(1)
    const back = await platform.payout(body._id)
    expect(back).toMatchObject({ state: 'confirmed', problem: null })
    expect(back.block?.hash).not.toBe(gone.block?.hash)
  })

  test('that was cancelled and is sent nevertheless replaces the next one, and is recorded by another person', async () => {
    const { wallet, ana } = await funded('wpkh', [900_000, 300_000])
    const id = await platform.approved(ana, 'btc', elsewhere(904), 64_20)
    const { body: cancelled } = await build([id], 20)
    await platform.pay('POST', `/operator/payouts/${cancelled._id}/cancel`)
    const { body } = await build([id], 2)
    // Only one of both can be mined.
    expect(body.coins).toEqual(cancelled.coins)
    await release(body._id, sign(body.unsigned, wallet))
    const raw = finalizePsbt(sign(cancelled.unsigned, wallet))
    expect(chain.broadcast(raw)).toBe(null)
    const { txid } = parseTransaction(raw)
    await confirm(2)
    expect(await platform.payout(body._id)).toMatchObject({ state: 'released' })
    await confirm(1)
    expect(await platform.payout(body._id)).toMatchObject({
      state: 'replaced',
      replacedBy: txid,
      problem: null,
    })
    expect(await platform.payout(cancelled._id)).toMatchObject({ state: 'cancelled', problem: 'mined' })
    expect(platform.logs.filter((line) => line.includes('A cancelled payout was mined.'))).toHaveLength(1)
    expect(await stateOf(id)).toMatchObject({ status: 'approved' })
    expect(await build([id])).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const complete = (reference: string) =>
      platform.pay('POST', `/operator/withdrawals/${id}/complete`, {
        reference,
        riskReason: 'Called back, all is in order',
      })
    expect(await complete(`${'ab'.repeat(32)}:0`)).toMatchObject({
      status: 409,
      body: { code: 'paid_by_chain' },
    })
    expect(await complete(`${txid}:0`)).toMatchObject({ status: 200 })
    expect(received(elsewhere(904))).toEqual([100_000])
    // Its fee is in no book.
    const { bitcoin } = await platform.reserves()
    expect((bitcoin?.booked ?? 0) - (bitcoin?.units ?? 0)).toBe(Math.round(Number(cancelled.fee) * 1e8))
  })

  test('that was cancelled keeps its withdrawals until another transaction has spent its coin', async () => {
    const { wallet, ana } = await funded('wpkh', [900_000, 300_000])
    const id = await platform.approved(ana, 'btc', elsewhere(905), 64_20)
    const next = await platform.approved(ana, 'btc', elsewhere(906), 64_20)
    const { body: cancelled } = await build([id])
    await platform.pay('POST', `/operator/payouts/${cancelled._id}/cancel`)
    const { body } = await build([next])
    expect(body.coins).toEqual(cancelled.coins)
    expect(await build([id])).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await release(body._id, sign(body.unsigned, wallet))
    await confirm()
    const again = await build([id])
    expect([again.status, again.body.msg]).toEqual([201, undefined])
    await release(again.body._id, sign(again.body.unsigned, wallet))
    await confirm()
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  })

  test('that somebody signed keeps its withdrawals after it was cancelled', async () => {
    const { wallet, ana } = await funded('wsh-sortedmulti', [900_000])
    const id = await platform.approved(ana, 'btc', elsewhere(907), 64_20)
    const { body } = await build([id])
    await release(body._id, signPsbt(body.unsigned ?? '', wallet.devices.slice(0, 1)))
    await platform.pay('POST', `/operator/payouts/${body._id}/cancel`)
    const rejected = await platform.pay('POST', `/operator/withdrawals/${id}/reject`, { reason: 'No' })
    expect(rejected).toMatchObject({ status: 409, body: { code: 'payout_sent' } })
    const again = await build([id])
    expect(again.body.coins).toEqual(body.coins)
    for (const device of wallet.devices.slice(0, 2))
      await release(again.body._id, signPsbt(again.body.unsigned ?? '', [device]))
    await confirm()
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  })
})

describe('a payout on Ethereum', () => {
  const ETHER = 10n ** 18n
  let node: EthereumNode
  beforeAll(async () => {
    node = await startEthereum()
  })
  afterAll(() => node.close())

  let accounts = 40
  /** A platform whose customer has deposited, and whose treasury has coins. */
  async function funded() {
    const account = ++accounts
    platform = await startPaying({
      ethereum: node.urls,
      tokens: `usdt:${node.contracts.usdt} usdc:${node.contracts.usdc}`,
      wallets: { bitcoin: testWallet('wpkh').descriptor.text, ethereum: testAccount(account) },
    })
    await node.finalise()
    await platform.tick()
    const ana = await platform.investor()
    await node.payNative(await platform.addressOf(ana, 'eth'), ETHER)
    await finalise()
    expect(await platform.available(ana)).toBe(RATES.ethereum * 100)
    return { ana, account }
  }

  async function finalise(): Promise<void> {
    await node.rpc('evm_increaseTime', 60)
    await node.mine(1)
    await node.finalise()
    for (let i = 0; i < 3; i++) await platform.work()
  }

  const receiver = (): Hex => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`
  const build = (withdrawal: string, fee = 5) =>
    platform.pay('POST', '/operator/payouts', { chain: 'ethereum', withdrawals: [withdrawal], fee })
  const sign = (unsigned: string | null, account: number) =>
    signPayout((unsigned ?? '0x') as Hex, { steps: '/1/0', account })
  const release = (id: string, signed: string) =>
    platform.pay('POST', `/operator/payouts/${id}/release`, { signed })

  /** Gives the treasury what the refusal says is missing. */
  async function fillTreasury(
    withdrawal: string,
    tokens = 0n,
    token: 'usdt' | 'usdc' = 'usdt',
  ): Promise<void> {
    const short = await build(withdrawal)
    expect(short).toMatchObject({ status: 409, body: { code: 'not_enough_coins' } })
    const treasury = /0x[0-9a-fA-F]{40}/.exec(short.body.msg)?.[0] ?? ''
    await node.payNative(treasury, 2n * ETHER)
    if (tokens > 0n) await node.payToken(node.contracts[token], treasury, tokens)
    await finalise()
  }

  test('of ether is confirmed once its block is final, and its fee is what the chain took', async () => {
    const { ana, account } = await funded()
    const to = receiver()
    const id = await platform.approved(ana, 'eth', to, 315_00)
    await fillTreasury(id)
    const before = await custodyOf('ethereum')
    const { status, body } = await build(id)
    expect([status, body.msg]).toEqual([201, undefined])
    const dearer = signPayout((body.unsigned ?? '0x') as Hex, {
      steps: '/1/0',
      account,
      change: { value: ETHER },
    })
    expect(await release(body._id, dearer)).toMatchObject({ status: 422, body: { code: 'signed_differs' } })
    const sent = await release(body._id, sign(body.unsigned, account))
    expect(sent).toMatchObject({ status: 200, body: { state: 'released' } })
    await node.mine(1)
    await platform.work()
    await platform.work()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'released', problem: null, block: {} })
    await finalise()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'confirmed', txid: sent.body.txid })
    expect(await stateOf(id)).toEqual({ status: 'completed', actor: 'system', reference: sent.body.txid })
    expect(BigInt(await node.rpc<Hex>('eth_getBalance', to, 'latest'))).toBe(ETHER / 10n)
    const receipt = await node.rpc<{ gasUsed: Hex; effectiveGasPrice: Hex }>(
      'eth_getTransactionReceipt',
      `0x${sent.body.txid}`,
    )
    const fee = (BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) + 999_999_999n) / 1_000_000_000n
    expect(await custodyOf('ethereum')).toBe((before ?? 0) - 100_000_000 - Number(fee))
    // The treasury was given two ether that are in no book.
    const reserves = await platform.reserves()
    expect(reserves.ethereum).toMatchObject({ stops: 0, booked: await custodyOf('ethereum') })
    expect((reserves.ethereum?.units ?? 0) - (reserves.ethereum?.booked ?? 0)).toBe(2_000_000_000)
    expect(reserves.usdt).toMatchObject({ units: 0, booked: 0, height: reserves.ethereum?.height })
  })

  test.each(['usdt', 'usdc'] as const)(
    'of %s is shown by the token’s event, and a higher fee replaces it',
    async (token) => {
      const { ana, account } = await funded()
      const to = receiver()
      const id = await platform.approved(ana, `${token}-erc20`, to, 250_00)
      await fillTreasury(id, 300_000_000n, token)
      const before = (await custodyOf(token)) ?? 0
      const first = await build(id)
      expect([first.status, first.body.msg]).toEqual([201, undefined])
      expect(first.body.shown?.symbol).toBe(token.toUpperCase())
      const sent = await release(first.body._id, sign(first.body.unsigned, account))
      expect(sent.status).toBe(200)
      const replacement = await platform.pay('POST', `/operator/payouts/${first.body._id}/replace`, {
        fee: 9,
      })
      expect([replacement.status, replacement.body.msg]).toEqual([201, undefined])
      const replaced = await release(first.body._id, sign(replacement.body.unsigned, account))
      expect(replaced.status).toBe(200)
      await finalise()
      expect(await platform.payout(first.body._id)).toMatchObject({
        state: 'confirmed',
        txid: replaced.body.txid,
      })
      expect(await stateOf(id)).toMatchObject({ status: 'completed', reference: replaced.body.txid })
      expect(await custodyOf(token)).toBe(before - 250_000_000)
    },
  )

  test('that fails on the chain completes nothing, and its withdrawal can be paid again', async () => {
    const { ana, account } = await funded()
    const id = await platform.approved(ana, 'usdt-erc20', receiver(), 250_00)
    await fillTreasury(id, 300_000_000n)
    const { body } = await build(id)
    // The treasury's tokens leave before the payout is mined.
    const from = body.shown?.from as Hex
    await node.rpc('anvil_impersonateAccount', from)
    await release(body._id, sign(body.unsigned, account))
    await drain(from)
    await finalise()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'failed', problem: 'failed' })
    expect(await stateOf(id)).toMatchObject({ status: 'approved' })
    expect(platform.logs.some((line) => line.includes('A payout was mined and failed.'))).toBe(true)
    await node.payToken(node.contracts.usdt, from, 300_000_000n)
    await finalise()
    const again = await build(id)
    expect([again.status, again.body.msg]).toEqual([201, undefined])
    await release(again.body._id, sign(again.body.unsigned, account))
    await finalise()
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  })

  test('whose nonce another transaction of the treasury used is replaced, and its withdrawal is paid once', async () => {
    const { ana, account } = await funded()
    const id = await platform.approved(ana, 'eth', receiver(), 315_00)
    await fillTreasury(id)
    const { body: cancelled } = await build(id, 9)
    await platform.pay('POST', `/operator/payouts/${cancelled._id}/cancel`)
    const { body } = await build(id, 5)
    expect(body.shown?.nonce).toBe(cancelled.shown?.nonce)
    await release(body._id, sign(body.unsigned, account))
    const txid = await node.rpc<Hex>('eth_sendRawTransaction', sign(cancelled.unsigned, account))
    await node.mine(1)
    await platform.work()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'released' })
    await finalise()
    expect(await platform.payout(body._id)).toMatchObject({ state: 'replaced', replacedBy: txid.slice(2) })
    expect(await platform.payout(cancelled._id)).toMatchObject({ state: 'cancelled', problem: 'mined' })
    expect(await build(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const complete = await platform.pay('POST', `/operator/withdrawals/${id}/complete`, {
      ...{ reference: txid, riskReason: 'Called back, all is in order' },
    })
    expect([complete.status, complete.body.msg]).toEqual([200, undefined])
  })

  /** Takes the tokens of an account by writing its balance into the token's storage, whatever slot that is. */
  async function drain(account: Hex): Promise<void> {
    const word = account.slice(2).toLowerCase().padStart(64, '0')
    for (let slot = 0; slot < 8; slot++) {
      const key = await node.rpc<Hex>('web3_sha3', `0x${word}${slot.toString(16).padStart(64, '0')}`)
      const value = await node.rpc<Hex>('eth_getStorageAt', node.contracts.usdt, key, 'latest')
      if (BigInt(value) === 300_000_000n)
        return node.rpc('anvil_setStorageAt', node.contracts.usdt, key, `0x${'0'.repeat(64)}`)
    }
    throw new Error('The balance of the token was not found.')
  }
})
