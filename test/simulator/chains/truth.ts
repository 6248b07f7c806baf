import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { TRANSFER } from '../../../src/chain/ethereum/proof.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { USDT, word } from './ethereum.ts'
import { bitcoinAddress, type GivenAddress, type Platform } from './platform.ts'

/** Blocks with a payment of Bitcoin and after it that make it final, as decision 0032 says. */
const NEEDED = 3

/** A payment to an own address as the honest chain holds it. */
export interface TruePayment {
  readonly network: ProvedNetwork
  /** The transaction, on Bitcoin with the output, on ERC-20 with the log within its receipt. */
  readonly reference: string
  readonly to: GivenAddress
  /** In the network's smallest unit. */
  readonly quantity: bigint
  readonly height: number
  /** Whether it is as deep as a credit needs. */
  readonly isFinal: boolean
}

/** All payments to own addresses on both honest chains, read from their blocks without the platform's code. */
export function truePayments({ bitcoin, ethereum, given }: Platform): Map<string, TruePayment> {
  const found = new Map<string, TruePayment>()
  const take = (payment: TruePayment) => found.set(`${payment.network} ${payment.reference}`, payment)
  const byScript = new Map(given.filter(({ script }) => script !== '').map((each) => [each.script, each]))
  for (const { height, transactions } of bitcoin.view.main) {
    const isFinal = bitcoin.height - height + 1 >= NEEDED
    for (const { txid, outputs } of transactions)
      for (const [n, { script, value }] of outputs.entries()) {
        const to = byScript.get(script)
        if (to === undefined || value === 0n) continue
        take({ network: 'btc', reference: `${txid}:${n}`, to, quantity: value, height, isFinal })
      }
  }
  const byAddress = new Map(
    given.filter(({ chain }) => chain === 'ethereum').map((each) => [each.address.toLowerCase(), each]),
  )
  const byTopic = new Map([...byAddress].map(([address, each]) => [word(address) as string, each]))
  for (const { header, transactions, receipts } of ethereum.view.blocks) {
    const place = { height: header.number, isFinal: header.number <= ethereum.finalised }
    for (const [i, { hash, json }] of transactions.entries()) {
      const receipt = receipts[i]
      if (receipt?.status !== '0x1') continue
      const to = byAddress.get(String(json.to))
      const quantity = BigInt(String(json.value))
      if (to !== undefined && quantity > 0n)
        take({ ...place, network: 'eth', reference: hash.slice(2), to, quantity })
      for (const [n, { address, topics, data }] of receipt.logs.entries()) {
        const receiver = byTopic.get(topics[2] ?? '')
        if (address !== USDT || topics[0] !== TRANSFER || receiver === undefined || BigInt(data) === 0n)
          continue
        take({
          ...place,
          network: 'usdt-erc20',
          reference: `${hash.slice(2)}:${n}`,
          to: receiver,
          quantity: BigInt(data),
        })
      }
    }
  }
  return found
}

/** Outside of the platform: what a withdrawal's address got on the honest chains, each with how deep it is. */
export interface TruePayout {
  readonly txid: string
  readonly quantity: bigint
  readonly isFinal: boolean
}

/** What an address outside the platform was paid. */
export function paidTo(
  { bitcoin, ethereum }: Platform,
  network: ProvedNetwork,
  address: string,
): TruePayout[] {
  if (network === 'btc') {
    const wanted = decodeAddress(address, 'regtest')
    return bitcoin.view.main.flatMap(({ height, transactions }) =>
      transactions.flatMap(({ txid, outputs }) =>
        outputs
          .filter(({ script }) => script === wanted)
          .map(({ value }) => ({
            txid,
            quantity: value,
            isFinal: bitcoin.height - height + 1 >= NEEDED,
          })),
      ),
    )
  }
  return ethereum.view.blocks.flatMap(({ header, transactions, receipts }) =>
    transactions.flatMap(({ hash, json }, i): TruePayout[] => {
      const receipt = receipts[i]
      if (receipt?.status !== '0x1') return []
      const isFinal = header.number <= ethereum.finalised
      const txid = hash.slice(2)
      if (network === 'eth')
        return json.to === address.toLowerCase()
          ? [{ txid, quantity: BigInt(String(json.value)), isFinal }]
          : []
      return receipt.logs
        .filter((log) => log.address === USDT && log.topics[2] === word(address))
        .map(({ data }) => ({ txid, quantity: BigInt(data), isFinal }))
    }),
  )
}

/** What the operators' keys can spend on the honest chains: satoshi, gwei and units of USDT. */
export function holdings(platform: Platform): Record<'bitcoin' | 'ethereum' | 'usdt', bigint> {
  const { bitcoin, ethereum, given, treasury, wallet } = platform
  const own = ownScripts(wallet)
  const coins = bitcoin.coins().filter(({ script }) => own.has(script))
  const accounts = [
    treasury,
    ...given.filter(({ chain }) => chain === 'ethereum').map(({ address }) => address),
  ]
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  return {
    bitcoin: sum(coins.map(({ value }) => value)),
    ethereum: sum(accounts.map((address) => ethereum.balance('wei', address))) / 10n ** 9n,
    usdt: sum(accounts.map((address) => ethereum.balance('usdt', address))),
  }
}

const POSITIONS = 60
const scripts = new Map<string, ReadonlyMap<string, 'receive' | 'change'>>()

/** The scripts that the wallet's keys can spend, by branch. */
export function ownScripts(wallet: Platform['wallet']): ReadonlyMap<string, 'receive' | 'change'> {
  const { kind } = wallet.descriptor
  const known =
    scripts.get(kind) ??
    new Map(
      (['receive', 'change'] as const).flatMap((branch) =>
        Array.from(
          { length: POSITIONS },
          (_, position) =>
            [decodeAddress(bitcoinAddress(wallet, position, branch), 'regtest'), branch] as const,
        ),
      ),
    )
  scripts.set(kind, known)
  return known
}
