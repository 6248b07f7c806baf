import { CHAIN_NETWORKS, type ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { priceOf } from '../lane/prices.ts'
import type { SentTransaction } from './bitcoin.ts'
import { EMPTY_TOKEN, FAKE_USDT, USDT } from './ethereum.ts'
import { COINS, type GivenAddress, INVESTORS, type Investor, MARKET_IDS, type Platform } from './platform.ts'

/** A deposit that an investor announced, with its quote. */
export interface Announced {
  readonly id: string
  readonly investor: Investor
  readonly network: ProvedNetwork
  readonly address: string
  /** In the network's smallest unit; null if there was no price. */
  readonly quote: { readonly quantity: bigint; readonly rate: string; readonly untilMs: number } | null
  readonly filedMs: number
}

/** Investors who announce payments and make them, exactly or not, and payers who make mistakes. */
export interface Payers {
  /** By the deposit's id. */
  readonly announced: ReadonlyMap<string, Announced>
  readonly counts: ReadonlyMap<string, number>
  /** Somebody does something. */
  act(): Promise<void>
  /** Somebody takes a payment back that is in no block: replaces it by a higher fee, or spends its coins elsewhere. */
  takeBack(): void
}

export function openPayers(platform: Platform): Payers {
  const { world, bitcoin, ethereum, chance, given, call } = platform
  const announced = new Map<string, Announced>()
  const counts = new Map<string, number>()
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  /** Payments that may be taken back. */
  const waiting: {
    readonly transaction: SentTransaction
    readonly to: GivenAddress
    readonly quantity: bigint
  }[] = []
  /** Announced payments that somebody makes after the quote's time. */
  const late: { readonly network: ProvedNetwork; readonly to: GivenAddress; readonly quantity: bigint }[] = []

  /** Announcements that were paid, and whose payers look for a better price until the payment is final. */
  const choosers: Announced[] = []

  let keys = 0

  const worth = (network: ProvedNetwork, cents: number): bigint => {
    const unit = 10 ** CHAIN_NETWORKS[network].decimals
    const quantity = BigInt(Math.floor((cents / 100 / priceOf(MARKET_IDS[network], world.now())) * unit))
    // Custody counts gwei. Some payments have wei below that.
    return network === 'eth' && chance.is(0.8) ? (quantity / 10n ** 9n) * 10n ** 9n : quantity
  }

  const pay = (network: ProvedNetwork, to: GivenAddress, quantity: bigint): void => {
    if (quantity <= 0n) return
    if (network === 'btc')
      waiting.push({ transaction: bitcoin.pay([{ script: to.script, value: quantity }]), to, quantity })
    else if (network === 'eth') ethereum.payEther(to.address, quantity)
    else ethereum.payToken(USDT, [{ to: to.address, quantity }])
  }

  const announce = async (
    investor: Investor,
    network: ProvedNetwork,
    cents: number,
    at?: string,
  ): Promise<Announced | null> => {
    const address = at ?? (await platform.address(investor, network))?.address
    if (address === undefined) return null
    const form = new FormData()
    form.set('type', COINS[network])
    form.set('amount', (cents / 100).toFixed(2))
    form.set('paymentTo', address)
    form.set('network', network)
    const filedMs = world.now()
    const key = `announcement-${++keys}`
    let reply = await call(investor, 'POST', '/deposits', form, key)
    // A browser tries again until it knows whether the deposit was filed.
    for (let tries = 1; tries < TRIES && isUnclear(reply.status); tries++) {
      world.pass(10_000)
      reply = await call(investor, 'POST', '/deposits', form, key)
    }
    const { status, body } = reply
    if (status !== 201) return null
    const { quote } = body as { quote?: { quantity: string; rate: string; until: string } }
    const { _id: id } = body as { _id: string }
    const filed: Announced = {
      id,
      investor,
      network,
      address,
      quote:
        quote === undefined
          ? null
          : {
              quantity: smallest(network, quote.quantity),
              rate: quote.rate,
              untilMs: Date.parse(quote.until),
            },
      filedMs,
    }
    announced.set(id, filed)
    return filed
  }

  const payAnnounced = async (network: ProvedNetwork, cents: number): Promise<void> => {
    const filed = await announce(chance.pick(INVESTORS), network, cents)
    if (filed === null) return
    const quantity = filed.quote?.quantity ?? worth(network, cents)
    const to = given.find(({ address }) => address === filed.address)
    if (to === undefined) return
    const kind = chance.pick([
      'exact',
      'exact',
      'nearly',
      'under',
      'over',
      'twice',
      'late',
      'never',
      'chosen',
    ])
    count(`announced, paid ${kind}`)
    if (kind === 'chosen') choosers.push(filed)
    if (kind === 'exact' || kind === 'chosen') pay(network, to, quantity)
    if (kind === 'nearly') pay(network, to, (quantity * BigInt(chance.whole(9_900, 10_100))) / 10_000n)
    if (kind === 'under') pay(network, to, (quantity * BigInt(chance.whole(500, 980))) / 1000n)
    if (kind === 'over') pay(network, to, (quantity * BigInt(chance.whole(1_020, 3_000))) / 1000n)
    if (kind === 'late') late.push({ network, to, quantity })
    if (kind === 'twice') for (let time = 0; time < 2; time++) pay(network, to, quantity)
  }

  /** A payer cancels the announcement after paying and files another one, to get the current price. */
  const chooseAgain = async ({ id, investor, network, address }: Announced): Promise<void> => {
    count('announced again after the payment')
    await call(investor, 'POST', `/deposits/${id}/cancel`, {})
    await announce(investor, network, chance.whole(2_500, 90_000), address)
  }

  const somebody = (chain: 'bitcoin' | 'ethereum'): GivenAddress | null => {
    const known = given.filter((each) => each.chain === chain)
    return known[chance.whole(0, known.length - 1)] ?? null
  }

  return {
    announced,
    counts,
    act: async () => {
      const chooser = choosers.shift()
      if (chooser !== undefined) await chooseAgain(chooser)
      const network = chance.pick(['btc', 'btc', 'eth', 'usdt-erc20'])
      const chain = CHAIN_NETWORKS[network].chain
      const cents = chance.is(0.08) ? chance.whole(400_000, 700_000) : chance.whole(2_500, 90_000)
      if (chance.is(0.4)) return payAnnounced(network, cents)
      if (late.length > 0 && chance.is(0.4)) {
        for (const { network: paid, to, quantity } of late.splice(0)) pay(paid, to, quantity)
        return
      }
      const to = chance.is(0.6) ? await platform.address(chance.pick(INVESTORS), network) : somebody(chain)
      if (to === null) return
      const kind = chance.pick(['unannounced', 'unannounced', 'dust', 'odd', 'several'])
      if (kind === 'unannounced') {
        count('unannounced')
        return pay(network, to, worth(network, cents))
      }
      if (kind === 'dust') {
        count('dust')
        return pay(network, to, worth(network, chance.whole(1, 150)))
      }
      if (kind === 'several') {
        count('several in one transaction')
        const more = [to, somebody(chain) ?? to, to]
        if (network === 'btc')
          bitcoin.pay(
            more.map(({ script }) => ({ script, value: worth('btc', chance.whole(2_500, 60_000)) })),
          )
        else
          ethereum.payToken(
            USDT,
            more.map(({ address }) => ({
              to: address,
              quantity: worth('usdt-erc20', chance.whole(2_500, 60_000)),
            })),
          )
        return
      }
      if (chain === 'bitcoin') return
      const odd = chance.pick([
        'fake token',
        'event without movement',
        'no quantity',
        'failed',
        'by a contract',
      ])
      count(odd)
      const quantity = worth('usdt-erc20', cents)
      if (odd === 'fake token') ethereum.payToken(FAKE_USDT, [{ to: to.address, quantity }])
      if (odd === 'event without movement') ethereum.payToken(EMPTY_TOKEN, [{ to: to.address, quantity }])
      if (odd === 'no quantity') ethereum.payToken(USDT, [{ to: to.address, quantity: 0n }])
      if (odd === 'failed') ethereum.payAndFail(to.address, worth('eth', cents))
      if (odd === 'by a contract') ethereum.payThroughContract(to.address, worth('eth', cents))
    },
    takeBack: () => {
      const pool = new Set(bitcoin.view.mempool)
      const found = waiting.findLast(({ transaction }) => pool.has(transaction))
      if (found === undefined) {
        const pending = ethereum.view.pending.find(({ from }) => from === null)
        if (pending === undefined) return
        count('replaced on Ethereum')
        ethereum.forget(pending.hash)
        return
      }
      const { transaction, to, quantity } = found
      if (chance.is(0.5)) {
        count('replaced with a higher fee')
        bitcoin.pay([{ script: to.script, value: quantity }], transaction)
      } else {
        count('double-spent')
        bitcoin.pay([], transaction)
      }
    },
  }
}

const TRIES = 20

/** Whether the request may still be carried out, or was without an answer. */
function isUnclear(status: number): boolean {
  return status === 0 || status === 409 || status >= 500
}

/** A decimal of a coin in the network's smallest unit. */
function smallest(network: ProvedNetwork, quantity: string): bigint {
  const [whole = '0', fraction = ''] = quantity.split('.')
  return BigInt(whole + fraction.padEnd(CHAIN_NETWORKS[network].decimals, '0'))
}
