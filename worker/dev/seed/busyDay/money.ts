import type { OperatorDeposit } from '../../../../src/contract/console/deposits.ts'
import { getCoinOfNetwork, type Network } from '../../../../src/contract/money/coins.ts'
import { computeQuantity } from '../../../ledger/custody.ts'
import { sha256Hex } from '../../../lib/crypto/tokens.ts'
import { drawSamplePicture } from '../history.ts'
import { RECEIVING_ADDRESSES } from '../sampleKeys.ts'
import type { Act } from './busyDay.ts'
import type { Desk } from './desk.ts'

type OperatorKey = 'operator' | 'operator2'

interface SampleDeposit {
  readonly who: string
  readonly usd: number
  readonly network: Network
  readonly hoursAgo: number
  /** What its transaction id is computed from. By default nobody else has it. */
  readonly transaction?: string
  /** The subject of the receipt. By default nobody else has it. */
  readonly receipt?: string
  /** Who credited it three hours later: the first operator proposes, the second one credits. */
  readonly creditedBy?: readonly OperatorKey[]
  readonly isRejected?: boolean
  readonly assignedTo?: OperatorKey
}

const FIRST = ['operator'] as const
const BOTH = ['operator', 'operator2'] as const

// 30: 11 credited, 1 rejected, 18 wait.
const DEPOSITS: readonly SampleDeposit[] = [
  { who: 'anna', usd: 5_000, network: 'btc', hoursAgo: 200 * 24, creditedBy: FIRST },
  { who: 'beto', usd: 8_000, network: 'usdt-bsc', hoursAgo: 170 * 24, creditedBy: FIRST },
  { who: 'chiara', usd: 3_000, network: 'eth', hoursAgo: 150 * 24, creditedBy: FIRST, transaction: 'reused' },
  { who: 'daan', usd: 12_000, network: 'usdt-trc20', hoursAgo: 140 * 24, creditedBy: BOTH },
  { who: 'elsa', usd: 9_000, network: 'btc', hoursAgo: 110 * 24, creditedBy: ['operator2'] },
  { who: 'felix', usd: 2_500, network: 'usdc-erc20', hoursAgo: 90 * 24, creditedBy: FIRST },
  { who: 'greta', usd: 6_000, network: 'usdt-erc20', hoursAgo: 80 * 24, creditedBy: ['operator2'] },
  { who: 'hale', usd: 1_500, network: 'usdt-bsc', hoursAgo: 50 * 24, creditedBy: FIRST },
  { who: 'ines', usd: 4_000, network: 'eth', hoursAgo: 40 * 24, creditedBy: ['operator2'] },
  { who: 'kaisa', usd: 2_000, network: 'btc', hoursAgo: 20 * 24, creditedBy: FIRST },
  { who: 'felix', usd: 700, network: 'usdt-trc20', hoursAgo: 30 * 24, isRejected: true },
  // In and out fast.
  { who: 'jan', usd: 9_000, network: 'usdt-trc20', hoursAgo: 30, creditedBy: ['operator2'] },
  { who: 'greta', usd: 150, network: 'usdt-trc20', hoursAgo: 9 * 24 },
  { who: 'hale', usd: 320, network: 'usdt-bsc', hoursAgo: 75 },
  { who: 'anna', usd: 250, network: 'btc', hoursAgo: 28 },
  // The same receipt on two people.
  { who: 'chiara', usd: 600, network: 'usdt-trc20', hoursAgo: 26, receipt: 'two people' },
  { who: 'daan', usd: 600, network: 'usdt-trc20', hoursAgo: 25, receipt: 'two people' },
  // Equal amounts just under the limit.
  { who: 'elsa', usd: 9_900, network: 'usdt-trc20', hoursAgo: 22 },
  { who: 'elsa', usd: 9_900, network: 'usdt-trc20', hoursAgo: 14 },
  { who: 'elsa', usd: 9_900, network: 'usdt-trc20', hoursAgo: 6 },
  // The transaction of another deposit.
  { who: 'felix', usd: 3_000, network: 'eth', hoursAgo: 20, transaction: 'reused' },
  // A first approval waits for the second operator.
  { who: 'ines', usd: 15_000, network: 'btc', hoursAgo: 18, creditedBy: FIRST },
  { who: 'jan', usd: 2_200, network: 'usdt-trc20', hoursAgo: 12 },
  { who: 'kaisa', usd: 500, network: 'btc', hoursAgo: 11 },
  { who: 'liam', usd: 1_200, network: 'eth', hoursAgo: 10 },
  { who: 'beto', usd: 400, network: 'usdt-trc20', hoursAgo: 7 },
  { who: 'liam', usd: 75, network: 'usdt-trc20', hoursAgo: 5 },
  { who: 'ines', usd: 80, network: 'usdc-erc20', hoursAgo: 3 },
  { who: 'hale', usd: 75, network: 'usdt-bsc', hoursAgo: 1.5, assignedTo: 'operator2' },
  { who: 'anna', usd: 1_000, network: 'btc', hoursAgo: 0.7 },
]

interface SampleWithdrawal {
  readonly who: string
  readonly usd: number
  /** The key of the address; null for a bank account. */
  readonly address: string | null
  readonly hoursAgo: number
  /** The holder of the bank account. */
  readonly holder?: string
  readonly approvedBy?: OperatorKey
  readonly paidBy?: OperatorKey
  readonly assignedTo?: OperatorKey
}

// 17: 1 paid, 3 approved, 13 wait.
const WITHDRAWALS: readonly SampleWithdrawal[] = [
  { who: 'anna', usd: 500, address: 'anna', hoursAgo: 100 * 24, approvedBy: 'operator', paidBy: 'operator2' },
  { who: 'chiara', usd: 300, address: 'chiara', hoursAgo: 52, approvedBy: 'operator' },
  { who: 'greta', usd: 1_000, address: 'greta', hoursAgo: 50, approvedBy: 'operator2' },
  { who: 'daan', usd: 11_000, address: 'daan', hoursAgo: 49, approvedBy: 'operator' },
  { who: 'hale', usd: 100, address: 'hale', hoursAgo: 6 * 24 },
  { who: 'ines', usd: 1_000, address: 'ines', hoursAgo: 27 },
  // To the same address.
  { who: 'chiara', usd: 400, address: 'shared', hoursAgo: 24 },
  { who: 'hale', usd: 400, address: 'shared', hoursAgo: 23 },
  {
    who: 'felix',
    usd: 900,
    address: null,
    holder: 'Otto Someone-Else',
    hoursAgo: 21,
    assignedTo: 'operator2',
  },
  { who: 'elsa', usd: 450, address: null, holder: 'Elsa Exempel', hoursAgo: 19 },
  { who: 'kaisa', usd: 700, address: 'kaisa', hoursAgo: 17 },
  { who: 'jan', usd: 8_900, address: 'jan', hoursAgo: 16 },
  { who: 'anna', usd: 200, address: 'anna', hoursAgo: 9 },
  // Four hours after the report of a lost factor.
  { who: 'beto', usd: 2_500, address: 'beto', hoursAgo: 4 },
  { who: 'ines', usd: 120, address: 'ines', hoursAgo: 2.5 },
  { who: 'chiara', usd: 95, address: 'chiara', hoursAgo: 2 },
  { who: 'anna', usd: 60, address: 'anna', hoursAgo: 1 },
]

/** Why operators go on with cases of high risk. */
const RISK_REASON = 'Called back on the number on file. The person knows of it.'

/** Hours from the request to its decision. */
const DECIDED_AFTER = 3

/** Deposits and withdrawals, and what operators did with them. */
export function listMoneyActs(desk: Desk): Act[] {
  return [
    ...DEPOSITS.flatMap((sample, at) => listDepositActs(desk, sample, `deposit ${at}`)),
    ...WITHDRAWALS.flatMap((sample) => listWithdrawalActs(desk, sample)),
  ]
}

function listDepositActs(desk: Desk, sample: SampleDeposit, key: string): Act[] {
  const { who, usd, network, hoursAgo, creditedBy = [], isRejected, assignedTo } = sample
  const { receipt = key, transaction = key } = sample
  const reference = async () => {
    const id = await sha256Hex(`${transaction} of the busy day`)
    return /^(?:eth|usd.-erc20|usdt-bsc)$/.test(network) ? `0x${id}` : id
  }
  let id = ''
  const decidedHoursAgo = Math.max(hoursAgo - DECIDED_AFTER, 0.2)
  return [
    [
      hoursAgo,
      async (atMs) => {
        const picture = drawSamplePicture('Sample receipt', `Paid ${usd} USD, number ${receipt}`)
        const form = {
          type: getCoinOfNetwork(network),
          network,
          amount: String(usd),
          paymentTo: RECEIVING_ADDRESSES[network],
          txid: await reference(),
          image: new Blob([picture], { type: 'image/svg+xml' }),
        }
        ;({ _id: id } = await desk.call<{ _id: string }>(who, atMs, 'POST', '/deposits', { form }))
      },
    ],
    ...creditedBy.map(
      (operator, place): Act => [
        decidedHoursAgo - place * 0.1,
        async (atMs) => {
          const { creditPrice } = await desk.call<OperatorDeposit>(
            operator,
            atMs,
            'GET',
            `/operator/deposits/${id}`,
          )
          const quantity = computeQuantity(getCoinOfNetwork(network), usd * 100, String(creditPrice))
          return desk.call(operator, atMs, 'POST', `/operator/deposits/${id}/approve`, {
            json: { riskReason: RISK_REASON, reference: await reference(), quantity },
          })
        },
      ],
    ),
    ...listWhen(isRejected, decidedHoursAgo, (atMs) =>
      desk.call('operator', atMs, 'POST', `/operator/deposits/${id}/reject`, {
        json: { reason: 'No payment has arrived.' },
      }),
    ),
    ...listWhen(assignedTo, 0.3, (atMs) =>
      desk.call(assignedTo ?? '', atMs, 'POST', `/operator/cases/${id}/assign`, {
        json: { kind: 'deposit' },
      }),
    ),
  ]
}

function listWithdrawalActs(desk: Desk, sample: SampleWithdrawal): Act[] {
  const { who, usd, address, hoursAgo, holder, approvedBy, paidBy, assignedTo } = sample
  let id = ''
  return [
    [
      hoursAgo,
      async (atMs) => {
        const amount = String(usd)
        const sent =
          address === null
            ? { path: '/withdrawals/online-service', json: { ...BANK, amount, accountHolderName: holder } }
            : {
                path: '/withdrawals',
                json: { amount, type: 'usdt', network: 'usdt-bsc', address: buildAddress(address) },
              }
        ;({ _id: id } = await desk.call<{ _id: string }>(who, atMs, 'POST', sent.path, { json: sent.json }))
      },
    ],
    ...listWhen(approvedBy, hoursAgo - DECIDED_AFTER, (atMs) =>
      desk.call(approvedBy ?? '', atMs, 'POST', `/operator/withdrawals/${id}/approve`, {
        json: { riskReason: RISK_REASON },
      }),
    ),
    ...listWhen(paidBy, hoursAgo - DECIDED_AFTER - 25, async (atMs) =>
      desk.call(paidBy ?? '', atMs, 'POST', `/operator/withdrawals/${id}/complete`, {
        json: {
          riskReason: RISK_REASON,
          reference: `0x${await sha256Hex(`paid to ${who}`)}`,
          quantity: String(usd),
        },
      }),
    ),
    ...listWhen(assignedTo, 0.3, (atMs) =>
      desk.call(assignedTo ?? '', atMs, 'POST', `/operator/cases/${id}/assign`, {
        json: { kind: 'withdrawal' },
      }),
    ),
  ]
}

function listWhen(condition: unknown, hoursAgo: number, act: Act[1]): Act[] {
  return condition ? [[hoursAgo, act]] : []
}

/** An address that nobody has the key of: its 20 bytes are a text. */
function buildAddress(name: string): string {
  const bytes = new TextEncoder().encode(`sample ${name}`.padEnd(20, '.').slice(0, 20))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const BANK = {
  withdrawalMethod: 'bank',
  bankName: 'Sample Bank',
  accountNumber: '00112233445566',
  country: 'SE',
} as const
