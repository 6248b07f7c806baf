import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OperatorHealth } from '../../../contract/console/health.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { WORK_KIND_NAMES } from '../../../contract/console/work.ts'
import { listAlerts } from './alerts.ts'

const NOW = '2026-01-31T09:30:00.000Z'
const ago = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
const none = { count: 0, oldest: null, overdue: 0, targetHours: 24 }
const time = { decisions: 120, days: 90, medianMinutes: 180, p95Minutes: 1440 }

const overview = (more: Partial<OperatorOverview> = {}): OperatorOverview => ({
  at: NOW,
  waiting: Object.fromEntries(WORK_KIND_NAMES.map((kind) => [kind, none])) as OperatorOverview['waiting'],
  ceilings: {
    creditsAlone: { limit: 25_000, used: 400 },
    payoutsAlone: { limit: 25_000, used: 0 },
    credits: { limit: 10_000_000, used: 400 },
    payouts: { limit: 10_000_000, used: 0 },
  },
  decisionTimes: {
    until: NOW,
    deposits: time,
    withdrawals: time,
    payouts: time,
    identity: null,
    messages: null,
  },
  booksAt: NOW,
  custody: [{ asset: 'usdt', unit: 'micro-USDT', quantity: '100', valueUsd: 100 }],
  places: [],
  strategies: { paidIn: 0, value: 0 },
  liabilities: 100,
  debts: { amount: 0, investors: 0 },
  trialBalance: { debits: 100, credits: 100, balanced: true },
  ...more,
})

const health = (more: Partial<OperatorHealth> = {}): OperatorHealth => ({
  at: NOW,
  mail: { carried: true, waiting: 0, oldest: null, failing: [], failingSince: null },
  cron: {
    at: ago(1),
    work: [{ name: 'outbox', at: ago(4), longestMs: 90, failedSince: null, error: null }],
  },
  checks: [{ name: 'schema', ok: true, finding: null, at: ago(9) }],
  payoutsPausedSince: null,
  chains: { servers: [], queued: 0, undone: 0, unsearched: [] },
  lostKeys: [],
  market: [{ name: 'coins', source: 'CoinGecko', at: ago(11) }],
  strategies: [],
  signIns: { hours: [], locked: { accounts: 0, addresses: 0 } },
  operators: [],
  ...more,
})

const mail = health().mail
const strategy = (more: Partial<OperatorHealth['strategies'][number]>) => ({
  _id: 'hold-the-index',
  name: 'Hold the index',
  status: 'active' as const,
  since: ago(900),
  reason: null,
  lateSince: null,
  lackingSince: null,
  ...more,
})
const hours = (count: number, minutes: number) => [{ at: ago(minutes), cause: 'password' as const, count }]

/** Each alert by what brings it about. */
const CASES: readonly [title: string, overview: OperatorOverview, health: OperatorHealth][] = [
  [
    'The books do not balance',
    overview({ trialBalance: { debits: 1, credits: 2, balanced: false } }),
    health(),
  ],
  ['Custody is worth less than liabilities', overview({ liabilities: 100.01 }), health()],
  ['Payouts are paused', overview(), health({ payoutsPausedSince: ago(5) })],
  ['The cron has never run', overview(), health({ cron: { at: null, work: [] } })],
  ['The cron has not run for 12 minutes', overview(), health({ cron: { at: ago(12), work: [] } })],
  [
    'Sending mails fails',
    overview(),
    health({
      cron: {
        at: NOW,
        work: [{ name: 'outbox', at: NOW, longestMs: 1, failedSince: ago(3), error: 'SQLITE_ERROR' }],
      },
    }),
  ],
  [
    'A self-check found something wrong: recent transfers',
    overview(),
    health({ checks: [{ name: 'ledger', ok: false, finding: 'Transfer x lacks its cause', at: NOW }] }),
  ],
  [
    'The self-checks have not run',
    overview(),
    health({ checks: [{ name: 'schema', ok: true, finding: null, at: ago(31) }] }),
  ],
  [
    'Keys of wallets are with people who cannot sign',
    overview(),
    health({ lostKeys: [{ wallet: 'w', chain: 'bitcoin', holder: 'Leo Leaving', keys: 1 }] }),
  ],
  ['No mail carrier is set', overview(), health({ mail: { ...mail, carried: false } })],
  [
    '2 mails could not be delivered',
    overview(),
    health({
      mail: {
        ...mail,
        waiting: 2,
        oldest: ago(300),
        failing: [{ error: 'Resend answered 422', count: 2 }],
        failingSince: ago(300),
      },
    }),
  ],
  [
    'Blocks could not be searched',
    overview(),
    health({
      chains: {
        ...health().chains,
        unsearched: [
          { chain: 'ethereum', height: 7, fault: 'does not answer in time', failures: 3, since: ago(9) },
        ],
      },
    }),
  ],
  ['Mails wait to be sent', overview(), health({ mail: { ...mail, waiting: 900, oldest: ago(61) } })],
  [
    'The prices are old',
    overview(),
    health({ market: [{ name: 'coins', source: 'CoinGecko', at: ago(61) }] }),
  ],
  [
    'Late strategies: Hold the index and Slow trend',
    overview(),
    health({
      strategies: [
        strategy({ lateSince: ago(150), lackingSince: ago(150) }),
        strategy({ name: 'Slow trend', lateSince: ago(140) }),
      ],
    }),
  ],
  [
    'Suspended strategies: Hold the index',
    overview(),
    health({ strategies: [strategy({ status: 'suspended', reason: 'Prices look odd.' })] }),
  ],
  [
    'Strategies waiting for daily bars: Hold the index',
    overview(),
    health({ strategies: [strategy({ lackingSince: ago(20) })] }),
  ],
  [
    'Unusually many failed sign-ins',
    overview(),
    health({ signIns: { hours: hours(50, 45), locked: { accounts: 0, addresses: 0 } } }),
  ],
  [
    '3 cases are overdue, the oldest an identity document that waits for 14 days',
    overview({
      waiting: {
        ...overview().waiting,
        withdrawal: { ...none, count: 5, oldest: ago(3000), overdue: 2 },
        kyc: { ...none, count: 1, oldest: ago(14 * 1440), overdue: 1 },
        message: { ...none, count: 1, oldest: ago(90_000) },
      },
    }),
    health(),
  ],
]

describe('what needs somebody', () => {
  it('is nothing where all is well, and where nothing could be asked', () => {
    expect(listAlerts(overview(), health())).toEqual([])
    expect(listAlerts(undefined, undefined)).toEqual([])
  })

  it.each(CASES)('%s', (title, ...state) => {
    expect(listAlerts(...state).map((alert) => alert.title)).toEqual([title])
  })

  it('is told with the gravest first', () => {
    const tones = listAlerts(
      overview({ liabilities: 200, trialBalance: { debits: 1, credits: 2, balanced: false } }),
      health({ cron: { at: null, work: [] }, mail: { ...mail, waiting: 1, oldest: ago(90) } }),
    ).map(({ tone }) => tone)
    expect(tones).toEqual(['danger', 'danger', 'caution', 'caution'])
  })

  it('is no sign-in that fails as often as it does all week', () => {
    const week = Array.from({ length: 160 }, (_, n) => hours(20, 180 + n * 60)).flat()
    const signIns = { hours: [...hours(60, 45), ...week], locked: { accounts: 0, addresses: 0 } }
    expect(listAlerts(overview(), health({ signIns }))).toEqual([])
  })

  it('is explained in docs/runbook.md, each by the beginning of its title', () => {
    const docs = readFileSync('docs/runbook.md', 'utf8')
    const listed = [...docs.matchAll(/^\| \*\*(.+?)…?\*\* \|/gm)].map(([, words]) => words ?? '')
    expect(listed.length).toBeGreaterThan(10)
    const explained = (title: string) => listed.some((words) => title.startsWith(words))
    const inGeneral = (title: string) =>
      title
        .replace(/^\d+ mails/, 'Mails')
        .replace(/^\d+ cases/, 'Cases')
        .replace(/^Sending mails fails/, 'Work of the cron fails')
    const unexplained = CASES.map(([title]) => inGeneral(title)).filter((title) => !explained(title))
    expect(unexplained).toEqual([])
  })
})
