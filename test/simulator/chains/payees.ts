import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { Transaction as EthereumTransaction } from 'micro-eth-signer'
import { decodeAddress, encodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import type { Hex } from '../../../src/chain/ethereum/hex.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { findDatabaseRefusal } from '../../../worker/lib/errors.ts'
import { finalizePsbt, signPsbt } from '../../support/bitcoinWallet.ts'
import { type ChainWithdrawal, fileChainWithdrawal } from '../../support/chainPeople.ts'
import { type PayoutFields, signPayout } from '../../support/ethereumChain.ts'
import { INVESTORS, type Investor, type Platform } from './platform.ts'
import type { ChainName } from './servers.ts'

/** A withdrawal of one of the investors. */
export type Withdrawal = ChainWithdrawal & { readonly investor: Investor }

/** Investors who withdraw, and operators who pay them and sign with their own hardware. Some signed files differ from what was built. */
export interface Payees {
  readonly withdrawals: readonly Withdrawal[]
  readonly counts: ReadonlyMap<string, number>
  /** A changed file that the platform wrongly accepted. Null without one. */
  readonly taken: string | null
  act(tick: number): Promise<void>
  /** Signs and sends what was built, and nothing new. */
  finish(): Promise<void>
}

interface Shown {
  readonly _id: string
  readonly chain: ChainName
  readonly state: string
  readonly unsigned: string | null
  readonly block: object | null
  readonly versions: readonly { readonly version: number }[]
}

export function openPayees(platform: Platform): Payees {
  const { ethereum, chance, wallet, account, call, rows } = platform
  const withdrawals: Withdrawal[] = []
  const counts = new Map<string, number>()
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const releasedAt = new Map<string, number>()
  let taken: string | null = null
  let ids = 0

  const file = async (): Promise<void> => {
    const investor = chance.pick(INVESTORS)
    const [row] = await rows<{ balance: number }>(
      'SELECT balance FROM accounts WHERE id = ?',
      `${investor}:available`,
    )
    const most = Math.min(row?.balance ?? 0, 80_000)
    if (most < 3_000) return
    const network = chance.pick(['btc', 'btc', 'eth', 'usdt-erc20'])
    const bytes = new Uint8Array(20)
    chance.fill(bytes)
    const random = Buffer.from(bytes).toString('hex')
    const address = network === 'btc' ? (encodeAddress(`0014${random}`, 'regtest') ?? '') : `0x${random}`
    const withdrawal = {
      id: `withdrawal-${++ids}`,
      investor,
      network,
      address,
      cents: chance.whole(2_000, most),
    }
    // An amount whose payment is gone cannot be held.
    if ((await fileWithdrawal(platform, withdrawal)) === null) withdrawals.push(withdrawal)
  }

  const approve = async (): Promise<void> => {
    for (const { id } of await rows<{ id: string }>(
      "SELECT id FROM requests WHERE queue = 'withdrawals' AND status = 'pending' ORDER BY seq",
    ))
      await call('approver', 'POST', `/operator/withdrawals/${id}/approve`, {
        riskReason: 'Called back, all is in order',
      })
  }

  const build = async (): Promise<void> => {
    const open = await rows<{ id: string; network: ProvedNetwork }>(
      `SELECT r.id, d.network FROM requests r JOIN withdrawal_details d ON d.request = r.id
       WHERE r.queue = 'withdrawals' AND r.status = 'approved' AND NOT EXISTS (
         SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state NOT IN ('cancelled', 'failed') WHERE i.request = r.id)
       ORDER BY r.seq`,
    )
    const [first] = open
    if (first === undefined) return
    const chain = first.network === 'btc' ? 'bitcoin' : 'ethereum'
    const chosen = chain === 'bitcoin' ? open.filter(({ network }) => network === 'btc').slice(0, 4) : [first]
    const fee = chain === 'bitcoin' ? chance.whole(1, 12) : chance.whole(2, 8)
    const { status, body } = await call('payer', 'POST', '/operator/payouts', {
      chain,
      withdrawals: chosen.map(({ id }) => id),
      fee,
    })
    if (status === 201) count(`payout built on ${chain}`)
    else if (chain === 'ethereum' && (body as { code?: string } | null)?.code === 'not_enough_coins') {
      count('treasury filled from deposit addresses')
      for (const { address } of platform.given.filter((each) => each.chain === 'ethereum'))
        ethereum.sweep(address.toLowerCase(), platform.treasury)
    }
  }

  /** Has it signed, and gives it back. Returns the status of the answer. */
  const release = async (shown: Shown, tick: number): Promise<void> => {
    const { _id, chain, unsigned } = shown
    if (unsigned === null) return
    const give = (signed: string) => call('payer', 'POST', `/operator/payouts/${_id}/release`, { signed })
    if (chance.is(0.35)) {
      const [how, signed] = chain === 'bitcoin' ? tamperedPsbt(unsigned) : tamperedEthereum(unsigned as Hex)
      if (signed !== null) {
        count(`tampered: ${how}`)
        const { status } = await give(signed)
        // Any answer but a refusal, or a Worker that was killed.
        if (status >= 200 && status < 300) taken = `A payout with ${how} was taken: ${_id}`
      }
    }
    if (chain === 'ethereum') await give(signPayout(unsigned as Hex, { steps: '/1/0', account }))
    else {
      const devices = wallet.devices.slice(0, wallet.descriptor.threshold)
      if (chance.is(0.5)) for (const device of devices) await give(signPsbt(unsigned, [device]))
      else {
        const whole = signPsbt(unsigned, devices)
        await give(chance.is(0.5) ? whole : finalizePsbt(whole))
      }
    }
    releasedAt.set(_id, tick)
    if (chain === 'ethereum' && chance.is(0.1)) {
      const [item] = await rows<{ address: string; network: string }>(
        'SELECT d.address, d.network FROM payout_items i JOIN withdrawal_details d ON d.request = i.request WHERE i.payout = ?',
        _id,
      )
      if (item?.network === 'eth') {
        count('receiver refused')
        ethereum.refusing.add(item.address.toLowerCase())
      }
    }
  }

  const goOn = async (tick: number, mayReplace: boolean): Promise<void> => {
    for (const { id } of await rows<{ id: string }>(
      "SELECT id FROM payouts WHERE state IN ('built', 'released') ORDER BY seq",
    )) {
      const { status, body } = await call('payer', 'GET', `/operator/payouts/${id}`)
      if (status !== 200) continue
      const shown = body as Shown
      if (shown.unsigned !== null && shown.state === 'built' && mayReplace && chance.is(0.08)) {
        count('payout cancelled')
        await call('payer', 'POST', `/operator/payouts/${id}/cancel`, {})
      } else if (shown.unsigned !== null) await release(shown, tick)
      else if (
        mayReplace &&
        shown.block === null &&
        tick - (releasedAt.get(id) ?? tick) >= 3 &&
        chance.is(0.4)
      ) {
        const fee = shown.chain === 'bitcoin' ? chance.whole(15, 40) : chance.whole(10, 30)
        const { status: replaced } = await call('payer', 'POST', `/operator/payouts/${id}/replace`, { fee })
        if (replaced === 201) count('payout replaced with a higher fee')
      }
    }
  }

  return {
    withdrawals,
    counts,
    get taken() {
      return taken
    },
    act: async (tick) => {
      if (chance.is(0.5)) await file()
      await approve()
      await build()
      await goOn(tick, true)
    },
    finish: () => goOn(0, false),
  }

  function tamperedPsbt(unsigned: string): readonly [string, string | null] {
    const how = chance.pick([
      'another output',
      'another amount',
      'a higher fee',
      'another change address',
      'one output more',
    ])
    const transaction = Transaction.fromPSBT(base64.decode(unsigned))
    const last = transaction.outputsLength - 1
    const change = transaction.getOutput(last)
    const isChange = change.bip32Derivation !== undefined || change.tapBip32Derivation !== undefined
    const script = Buffer.from(decodeAddress(THIEF, 'regtest'), 'hex')
    const amountOf = (at: number) => transaction.getOutput(at).amount ?? 0n
    // What the file says about keys and scripts of an output would tell that it was changed.
    const replace = (at: number) => {
      const amount = amountOf(at)
      Object.assign(transaction, {
        outputs: (transaction as unknown as { outputs: object[] }).outputs.with(at, { script, amount }),
      })
    }
    if (how === 'another output') replace(0)
    if (how === 'another amount') {
      if (!isChange) return [how, null]
      transaction.updateOutput(0, { amount: amountOf(0) + 1n })
      transaction.updateOutput(last, { amount: amountOf(last) - 1n })
    }
    if (how === 'a higher fee') transaction.updateOutput(last, { amount: amountOf(last) - 600n })
    if (how === 'another change address') {
      if (!isChange) return [how, null]
      replace(last)
    }
    if (how === 'one output more') {
      transaction.updateOutput(last, { amount: amountOf(last) - 600n })
      transaction.addOutput({ script, amount: 600n })
    }
    const devices = wallet.devices.slice(0, wallet.descriptor.threshold)
    return [how, signPsbt(base64.encode(transaction.toPSBT()), devices)]
  }

  function tamperedEthereum(unsigned: Hex): readonly [string, string | null] {
    const how = chance.pick([
      'another receiver',
      'another value',
      'a higher fee',
      'another nonce',
      'another signer',
    ])
    const steps = '/1/0'
    if (how === 'another signer') return [how, signPayout(unsigned, { steps, account: account + 1 })]
    const raw = EthereumTransaction.fromHex(unsigned).raw as PayoutFields
    const change =
      how === 'another receiver'
        ? { to: THIEF_ACCOUNT }
        : how === 'another value'
          ? { value: raw.value + 1n }
          : how === 'a higher fee'
            ? { maxFeePerGas: raw.maxFeePerGas + 1n }
            : { nonce: raw.nonce + 1n }
    return [how, signPayout(unsigned, { steps, account, change })]
  }
}

/** Files a withdrawal and holds its amount. Returns why the database refuses it, or null. */
export async function fileWithdrawal(
  { db, world }: Platform,
  withdrawal: Withdrawal,
): Promise<string | null> {
  // How an investor files one is played by the other people of the simulator.
  try {
    await fileChainWithdrawal(db, world.now(), withdrawal)
    return null
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code
    if (code === undefined) throw error
    return code
  }
}

const THIEF = encodeAddress(`0014${'7e'.repeat(20)}`, 'regtest') ?? ''
const THIEF_ACCOUNT = `0x${'7e'.repeat(20)}`
