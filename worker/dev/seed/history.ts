import { eq } from 'drizzle-orm'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { DAY_MS } from '../../../src/time.ts'
import { computeQuantity, parseUnits, releaseFromCustody, takeIntoCustody } from '../../ledger/custody.ts'
import { credit, grantBonus, hold, payOut, release } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { generateText, generateToken, newId, newRef } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { escapeHtml } from '../../lib/mail/compose.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { depositDetails, requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import type { SeededPeople } from './people.ts'
import { RECEIVING_ADDRESSES } from './sampleKeys.ts'

const HOUR_MS = 3_600_000
const SAMPLE_ADDRESS = RECEIVING_ADDRESSES['usdt-trc20']

interface Setting {
  readonly env: Env
  readonly db: Database
  readonly people: SeededPeople
}

/** Some weeks of an investor's history, made with the same records and transfers as any other. */
export async function seedHistory(setting: Setting, nowMs: number): Promise<Statement[]> {
  const getTimeDaysAgo = (days: number) => nowMs - days * DAY_MS
  const deposits = await Promise.all(
    DEPOSITS.map(({ daysAgo, ...sample }) => deposit(setting, { ...sample, atMs: getTimeDaysAgo(daysAgo) })),
  )
  return [
    ...deposits.flat(),
    ...seedBonus(setting, 5_000, getTimeDaysAgo(33)),
    ...seedWithdrawal(setting, 30_000, getTimeDaysAgo(30), 'completed'),
    ...seedWithdrawal(setting, 25_000, getTimeDaysAgo(12), 'cancelled'),
  ]
}

const DEPOSITS = [
  { network: 'btc', amountCents: 250_000, rate: '61250', daysAgo: 56, end: 'approved' },
  { network: 'usdt-trc20', amountCents: 100_000, rate: '1', daysAgo: 40, end: 'approved' },
  { network: 'eth', amountCents: 40_000, rate: '2950', daysAgo: 21, end: 'rejected' },
  { network: 'usdt-bsc', amountCents: 50_000, rate: '1', daysAgo: 1, end: 'pending' },
] as const

type SampleDeposit = Omit<(typeof DEPOSITS)[number], 'daysAgo'> & { readonly atMs: number }

async function deposit({ env, db, people }: Setting, sample: SampleDeposit): Promise<Statement[]> {
  const { network, amountCents, rate, atMs, end } = sample
  const coin = getCoinOfNetwork(network)
  const id = newId()
  const decidedMs = atMs + 3 * HOUR_MS
  const quantity = computeQuantity(coin, amountCents, rate)
  const units = parseUnits(coin, quantity)
  const receiptKey = `receipts/${generateToken(18)}`
  await env.FILES.put(receiptKey, drawSamplePicture('Sample receipt', `${amountCents / 100} USD in ${coin}`))
  const filed: Statement[] = [
    db.insert(requests).values({
      id,
      ref: newRef('DEP'),
      investor: people.investor,
      kind: 'deposit',
      queue: 'deposits',
      amount: amountCents,
      asked: amountCents,
      createdAt: atMs,
    }),
    db.insert(depositDetails).values({
      askedRate: rate,
      request: id,
      coin,
      network,
      paymentTo: RECEIVING_ADDRESSES[network],
      receiptKey,
      receiptType: 'image/svg+xml',
      ...(end === 'approved' && { quantity, rate }),
    }),
  ]
  const event = { request: id, investor: people.investor, actor: people.operator, atMs: decidedMs }
  if (end === 'rejected') {
    return [
      ...filed,
      recordEvent(db, {
        ...event,
        status: 'rejected',
        note: 'The receipt shows another amount. Please send the request again with the right one.',
      }),
    ]
  }
  if (end === 'pending' || units === null) return filed
  return [
    ...filed,
    recordEvent(db, {
      ...event,
      status: 'approved',
      amountCents,
      reference: makeSampleTransaction(),
      arrived: { units, unitsAtRate: units },
    }),
    credit(db, { id, investor: people.investor, amountCents }, { actor: people.operator, nowMs: decidedMs }),
    takeIntoCustody({ request: id, asset: coin, units, nowMs: decidedMs }),
  ]
}

function seedWithdrawal(
  { db, people }: Setting,
  amountCents: number,
  atMs: number,
  end: 'completed' | 'cancelled',
): Statement[] {
  const id = newId()
  const cause = { id, investor: people.investor, amountCents }
  const event = { request: id, investor: people.investor }
  const quantity = computeQuantity('usdt', amountCents, '1')
  const units = parseUnits('usdt', quantity)
  const filed: Statement[] = [
    db.insert(requests).values({
      id,
      ref: newRef('WDR'),
      investor: people.investor,
      kind: 'withdrawal',
      queue: 'withdrawals',
      amount: amountCents,
      asked: amountCents,
      createdAt: atMs,
    }),
    db.insert(withdrawalDetails).values({
      request: id,
      coin: 'usdt',
      network: 'usdt-trc20',
      address: SAMPLE_ADDRESS,
      destinationHash: 'sample',
      sessionId: 'sample',
      proof: 'email',
      reasons: JSON.stringify(['new_destination', 'new_device']),
      ...(end === 'completed' && { quantity, rate: '1' }),
    }),
    hold(db, cause, { actor: people.investor, nowMs: atMs }),
  ]
  if (end === 'cancelled' || units === null) {
    const byInvestor = { actor: people.investor, nowMs: atMs + HOUR_MS }
    return [
      ...filed,
      recordEvent(db, { ...event, status: 'cancelled', actor: people.investor, atMs: byInvestor.nowMs }),
      release(db, cause, byInvestor),
    ]
  }
  const paidMs = atMs + 5 * HOUR_MS
  return [
    ...filed,
    recordEvent(db, {
      ...event,
      status: 'approved',
      actor: people.operator,
      atMs: atMs + 2 * HOUR_MS,
      price: { units, rate: '1' },
    }),
    recordEvent(db, {
      ...event,
      status: 'completed',
      actor: people.operator2,
      atMs: paidMs,
      amountCents,
      arrived: { units, unitsAtRate: units },
      reference: makeSampleTransaction(),
      secondOperator: people.operator,
    }),
    payOut(db, cause, { actor: people.operator2, nowMs: paidMs }),
    releaseFromCustody({ request: id, asset: 'usdt', units, nowMs: paidMs }),
  ]
}

/** A random transaction id that does not exist on any chain. */
function makeSampleTransaction(): string {
  return generateText(64, '0123456789abcdef')
}

function seedBonus({ db, people }: Setting, amountCents: number, atMs: number): Statement[] {
  const id = newId()
  return [
    db.insert(proposals).values({
      id,
      kind: 'bonus',
      createdAt: atMs,
      proposedBy: people.operator,
      investor: people.investor,
      amount: amountCents,
      reason: 'Sample bonus',
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: people.operator2, decidedAt: atMs })
      .where(eq(proposals.id, id)),
    grantBonus(db, { id, investor: people.investor, amountCents }, { actor: people.operator2, nowMs: atMs }),
  ]
}

/** A picture labelled as a sample, as SVG bytes. */
export function drawSamplePicture(title: string, ...lines: string[]): Uint8Array<ArrayBuffer> {
  const texts = lines.map(
    (line, place) =>
      `<text x="40" y="${250 + 36 * place}" font-family="sans-serif" font-size="24" fill="#16324a">${escapeHtml(line)}</text>`,
  )
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400"><rect width="640" height="400" fill="#f7f4ee"/><path d="M40 200h560" stroke="#16324a" stroke-width="2"/><text x="40" y="160" font-family="serif" font-size="44" fill="#16324a">${escapeHtml(title)}</text>${texts.join('')}</svg>`,
  )
}
