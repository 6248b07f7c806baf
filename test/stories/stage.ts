import { decodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import type { TrialBalance, WaitingCounts } from '../../src/contract/console/overview.ts'
import type { OperatorPayment } from '../../src/contract/console/watchWallets.ts'
import type { UserInfo } from '../../src/contract/identity/userInfo.ts'
import { COIN_SYMBOLS, type Coin } from '../../src/contract/money/coins.ts'
import { formatPaymentQuantity, type Payment } from '../../src/contract/money/payments.ts'
import type { Transaction } from '../../src/contract/money/transactions.ts'
import { formatUsd } from '../../src/contract/money.ts'
import { formatQuantity } from '../../worker/ledger/custody.ts'
import type { SentTransaction } from '../simulator/chains/bitcoin.ts'
import type { Settings } from '../support/observing.ts'
import { type Paying, startPaying } from '../support/paying.ts'
import { openSimulatedChains, type SimulatedChains } from '../support/simulatedChains.ts'
import type { Step } from './story.ts'

/** The platform beside simulated chains, with one investor. */
export interface Stage extends Paying {
  readonly chains: SimulatedChains
  readonly investorId: string
  /** Somebody outside pays bitcoin to the investor's own address. */
  receive(satoshi: bigint): Promise<SentTransaction>
  /** Mines blocks of Bitcoin, and lets the platform look after each. */
  mine(blocks?: number): Promise<void>
  /** Calls the API. Throws if it refuses. */
  request<Body>(person: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Body>
  /** Asks the API what each side sees now. */
  show(happened: string, operators?: readonly string[]): Promise<Step>
}

export async function openStage(settings: Pick<Settings, 'wallets'> = {}): Promise<Stage> {
  const chains = openSimulatedChains('story')
  const platform = await startPaying({ ...chains, ...settings })
  // It follows the headers from the first block on.
  for (let ticks = 0; ticks < 2; ticks++) await platform.tick()
  const investorId = await platform.investor()
  await identify(platform, investorId)
  const request: Stage['request'] = async <Body>(...call: Parameters<Paying['callAs']>) => {
    const { status, body } = await platform.callAs(...call)
    if (status >= 300) throw new Error(`${call[2]} answered ${status}: ${body.msg}`)
    return body as unknown as Body
  }
  return {
    ...platform,
    chains,
    investorId,
    request,
    receive: async (value) => {
      const script = decodeAddress(await platform.addressOf(investorId, 'btc'), 'regtest')
      const payment = chains.bitcoinChain.pay([{ script, value }])
      await platform.work()
      return payment
    },
    mine: async (blocks = 1) => {
      for (let mined = 0; mined < blocks; mined++) {
        chains.bitcoinChain.mine({ nowMs: platform.now() })
        await platform.work()
      }
    },
    show: (...step) => showSides(request, platform.rows, investorId, ...step),
  }
}

/** An identity document that an operator has approved. It has no file. */
async function identify({ rows, now }: Paying, investorId: string): Promise<void> {
  await rows(
    "INSERT INTO kyc_submissions (id, ref, user_id, document, media_type, file_key, created_at) VALUES ('kyc', 'KYC-1', ?, 'Passport', 'image/png', 'kyc', ?)",
    investorId,
    now(),
  )
  await rows("UPDATE kyc_submissions SET status = 'approved', decided_by = 'approver', decided_at = ?", now())
}

async function showSides(
  request: Stage['request'],
  rows: Stage['rows'],
  investorId: string,
  happened: string,
  operators: readonly string[] = [],
): Promise<Step> {
  const read = <Body>(person: string, path: string) => request<Body>(person, 'GET', path)
  const info = await read<UserInfo>(investorId, '/users/user-info')
  const transactions = await read<Transaction[]>(investorId, '/transaction-history')
  const payments = await read<Payment[]>(investorId, '/payments')
  const waiting = await read<WaitingCounts>('payer', '/operator/waiting')
  const problems = await read<OperatorPayment[]>('payer', '/operator/payments')
  const { accounts, balanced } = await read<TrialBalance>('payer', '/operator/ledger/trial-balance')
  const custody = await rows<{ asset: Coin; balance: number }>(
    'SELECT asset, balance FROM custody_balances WHERE balance <> 0 ORDER BY asset',
  )
  const queues = Object.entries(waiting).flatMap(([queue, count]) =>
    typeof count === 'number' && count > 0 ? `${queue} ${count}` : [],
  )
  const balances = accounts.flatMap(({ kind, balance }) =>
    balance === 0 ? [] : `${kind} ${formatUsd(balance)}`,
  )
  const coins = custody.map(
    ({ asset, balance }) => `${formatQuantity(asset, BigInt(balance))} ${COIN_SYMBOLS[asset]}`,
  )
  if (!balanced) throw new Error('The books do not balance.')
  return {
    happened,
    investor: [
      `Available ${formatUsd(info.available)}${info.undone > 0 ? `, frozen ${formatUsd(info.undone)}` : ''}`,
      ...transactions.map(
        ({ trxType, amount, status, awaitsPayment }) =>
          `A ${trxType} of ${formatUsd(amount)}: ${awaitsPayment ? 'awaits your payment' : status}`,
      ),
      ...payments.map(
        ({ network, quantity, words }) =>
          `A payment of ${formatPaymentQuantity(network, quantity)}: ${words}`,
      ),
    ],
    operators: [
      `To decide: ${queues.join(', ') || 'nothing'}`,
      ...problems.map(({ words }) => words),
      ...operators,
    ],
    books: [`Accounts: ${balances.join(', ') || 'empty'}`, `Wallet: ${coins.join(', ') || 'empty'}`],
  }
}
