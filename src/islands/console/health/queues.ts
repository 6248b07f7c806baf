import type { OperatorOverview } from '../../../contract/console/overview.ts'
import type { DecisionKind, DecisionTime } from '../../../contract/money/decisionTimes.ts'

/** A queue as the overview shows it. */
interface Queue {
  readonly key: keyof OperatorOverview['waiting']
  readonly label: string
  readonly href: string
  readonly open: string
  /** The kind of measured decision times; null if they are not measured. */
  readonly kind: DecisionKind | null
  readonly things: string
  readonly done: string
}

export const QUEUES: readonly Queue[] = [
  {
    key: 'deposits',
    label: 'Deposits to credit',
    href: '/operator/deposits',
    open: 'Open deposits',
    kind: 'deposits',
    things: 'deposits',
    done: 'decided',
  },
  {
    key: 'withdrawals',
    label: 'Withdrawals to approve',
    href: '/operator/withdrawals',
    open: 'Open withdrawals',
    kind: 'withdrawals',
    things: 'withdrawals',
    done: 'decided',
  },
  {
    key: 'payouts',
    label: 'Payouts to pay',
    href: '/operator/withdrawals?status=approved',
    open: 'Open payouts',
    kind: 'payouts',
    things: 'withdrawals',
    done: 'paid',
  },
  {
    key: 'kyc',
    label: 'Identity documents',
    href: '/operator/kyc',
    open: 'Open documents',
    kind: 'identity',
    things: 'documents',
    done: 'reviewed',
  },
  {
    key: 'proposals',
    label: 'Proposals',
    href: '/operator/proposals',
    open: 'Open proposals',
    kind: null,
    things: 'proposals',
    done: 'decided',
  },
  {
    key: 'payments',
    label: 'Payments not credited',
    href: '/operator/payments',
    open: 'Open payments',
    kind: null,
    things: 'payments',
    done: 'closed',
  },
  {
    key: 'messages',
    label: 'Messages',
    href: '/operator/messages',
    open: 'Open messages',
    kind: 'messages',
    things: 'messages',
    done: 'answered',
  },
]

/** Whether a row that is pending since `since` waits longer than 19 of 20 decisions took. */
export function isBeyondUsual(
  since: string,
  now: string,
  { p95Minutes }: NonNullable<DecisionTime>,
): boolean {
  return Date.parse(now) - Date.parse(since) > p95Minutes * 60_000
}
