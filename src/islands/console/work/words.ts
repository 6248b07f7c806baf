import { PROPOSAL_LABELS } from '../../../contract/console/proposals.ts'
import { MOST_WORK, type WorkItem, type WorkKind } from '../../../contract/console/work.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatUsd } from '../../../contract/money.ts'
import { describeProposalSubject } from '../proposals/words.ts'

/** Each kind of work: its queue and the name of all of it. */
const QUEUES: Record<WorkKind, { readonly href: string; readonly all: string }> = {
  deposit: { href: '/operator/deposits', all: 'All deposits' },
  withdrawal: { href: '/operator/withdrawals', all: 'All withdrawals' },
  payout: { href: '/operator/withdrawals?status=approved', all: 'All payouts' },
  kyc: { href: '/operator/kyc', all: 'All identity documents' },
  proposal: { href: '/operator/proposals', all: 'All proposals' },
  message: { href: '/operator/messages', all: 'All messages' },
  payment: { href: '/operator/payments', all: 'All payments' },
}

/** What to do, as its button says it: "Approve payout of $500.00". */
export function describeTask({ kind, amount, about, first, aboveLimit, proposal }: WorkItem): string {
  const sum = formatUsd(amount ?? 0)
  switch (kind) {
    case 'deposit':
      return first !== null
        ? `Approve and credit ${sum}`
        : aboveLimit
          ? `Propose credit of ${sum}`
          : `Credit ${sum}`
    case 'withdrawal':
      return `Approve payout of ${sum}`
    case 'payout':
      return `Pay ${sum}`
    case 'kyc':
      return 'Check identity document'
    case 'proposal':
      return proposal
        ? `Decide: ${PROPOSAL_LABELS[proposal.kind]}, ${describeProposalSubject(proposal)}`
        : 'Decide proposal'
    case 'payment':
      return 'Look at a payment that was not credited'
    case 'message':
      return `Answer: ${about ?? ''}`
  }
}

/** The person and the reference, and who acted first: "Ana Torres · DEP-7F3K · approved by Olga". */
export function describeCase({ kind, person, ref, first }: WorkItem): string {
  const before = first && `${kind === 'proposal' ? 'proposed' : 'approved'} by ${isolate(first.name)}`
  return [kind === 'proposal' ? null : person, ref, before].filter(Boolean).join(' · ')
}

/** The address of the case. `from` lets the end of its queue lead to the next work. */
export function buildWorkHref({ kind, _id, waitsFor }: WorkItem): string {
  const { href } = QUEUES[kind]
  const queue = waitsFor === 'hold' ? '/operator/withdrawals?status=delayed' : href
  return `${queue}${queue.includes('?') ? '&' : '?'}open=${encodeURIComponent(_id)}&from=work`
}

/**
 * The address of the operator's next work, apart from a case that was just decided; null if there is none. Passes over the
 * cases of other operators.
 */
export function findNextWorkHref(
  items: readonly WorkItem[],
  decidedId: string,
  me: string | undefined,
): string | null {
  const { yours, first, rest } = sortWork(items, me)
  const isFree = ({ assigned }: WorkItem) => assigned === null || assigned._id === me
  const next = [...yours, ...first, ...rest].find((item) => item._id !== decidedId && isFree(item))
  return next === undefined ? null : buildWorkHref(next)
}

export interface SortedWork {
  /** Cases that are assigned to the operator. */
  readonly yours: readonly WorkItem[]
  /** Second approvals and payouts, which stand on top. */
  readonly first: readonly WorkItem[]
  readonly rest: readonly WorkItem[]
  readonly others: readonly WorkItem[]
  readonly delayed: readonly WorkItem[]
  /** The queues with more than the list shows. */
  readonly more: readonly { readonly href: string; readonly all: string }[]
}

/** The work of the operator and of others. Each list keeps its order; the delayed payouts are sorted by their time. */
export function sortWork(items: readonly WorkItem[], me: string | undefined): SortedWork {
  const isYours = ({ assigned }: WorkItem) => assigned !== null && assigned._id === me
  const mine = items.filter((item) => item.waitsFor === 'you' && !isYours(item))
  const isFirst = ({ kind, first }: WorkItem) => kind === 'payout' || kind === 'proposal' || first !== null
  const kinds = Object.keys(QUEUES) as WorkKind[]
  return {
    yours: items.filter((item) => item.waitsFor === 'you' && isYours(item)),
    first: mine.filter(isFirst),
    rest: mine.filter((item) => !isFirst(item)),
    others: items.filter(({ waitsFor }) => waitsFor === 'others'),
    delayed: items
      .filter(({ waitsFor }) => waitsFor === 'hold')
      .toSorted((a, b) => (a.heldUntil ?? '').localeCompare(b.heldUntil ?? '')),
    more: kinds
      .filter((kind) => items.filter((item) => item.kind === kind).length >= MOST_WORK)
      .map((kind) => QUEUES[kind]),
  }
}
