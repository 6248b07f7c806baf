import { MESSAGE_TOPICS } from '../../../contract/console/messages.ts'
import { describeProposal } from '../../../contract/console/proposalWords.ts'
import { getWorkKind, WORK_KIND_NAMES } from '../../../contract/console/work.ts'
import { MOST_WORK, type WorkItem } from '../../../contract/console/workItems.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatUsd } from '../../../contract/money.ts'
import { checkWords } from '../health/words.ts'

/** What to do, as its button says it: "Approve payout of $500.00". */
export function describeTask({
  kind,
  amount,
  about,
  topic,
  first,
  aboveLimit,
  risk,
  proposal,
}: WorkItem): string {
  const sum = formatUsd(amount ?? 0)
  switch (kind) {
    case 'deposit':
      return aboveLimit || risk?.level === 'high' ? `Propose credit of ${sum}` : `Credit ${sum}`
    case 'second_credit':
      return `Approve and credit ${sum}`
    case 'withdrawal':
      return `Approve payout of ${sum}`
    case 'payout':
      return `Pay ${sum}`
    case 'release':
      return `Sign and send payout of ${sum}`
    case 'kyc':
      return 'Check identity document'
    case 'expired_document':
      return 'Ask for a new identity document'
    case 'factor_recovery':
      return first === null ? 'Check who lost a second factor' : 'Check again who lost a second factor'
    case 'sanctions_hit':
      return 'Compare with the sanctions list'
    case 'lock_lift':
      return first === null ? 'Unlock account' : 'Give second approval to unlock account'
    case 'disagreement':
      return `Find the cause: ${checkWords(about ?? '')}`
    case 'difference':
      return `Clear the difference: ${isolate(about ?? '')}`
    case 'reversal':
    case 'proposal':
      return proposal ? `Decide: ${describeProposal(proposal)}` : 'Decide proposal'
    case 'payment':
      return 'Identify a payment that was not credited'
    case 'message':
      return `Answer${topic ? ` (${MESSAGE_TOPICS[topic].label.toLowerCase()})` : ''}: ${about ?? ''}`
  }
}

/** The person and the reference, and who acted first: "Ana Torres · DEP-7F3K · approved by Olga". */
export function describeCase({ kind, person, ref, first }: WorkItem): string {
  const isProposal = kind === 'proposal' || kind === 'reversal'
  const before =
    first &&
    `${isProposal || kind === 'kyc' || kind === 'factor_recovery' ? 'proposed' : 'approved'} by ${isolate(first.name)}`
  return [isProposal ? null : person, ref, before].filter(Boolean).join(' · ')
}

/** The address of the case. `via` lets the end of its queue lead to the next work. */
export function buildWorkHref({ kind, _id }: WorkItem): string {
  const { href } = getWorkKind(kind)
  return `${href}${href.includes('?') ? '&' : '?'}open=${encodeURIComponent(_id)}&via=work`
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

/** What to show of the work, stored in the URL. Blank fields show all. */
export interface WorkFilters {
  readonly kind: string
  readonly risk: string
  readonly assigned: string
  readonly due: string
}

/** Whether a row of work matches the filters: kind, least risk, assignee and overdue. */
export function matchesWork(
  { kind, risk, assigned, dueAt }: WorkItem,
  filters: WorkFilters,
  me: string | undefined,
  nowMs: number,
): boolean {
  const isRisky = risk?.level === 'high' || risk?.level === filters.risk
  const isWhose = filters.assigned === 'me' ? assigned?._id === me : assigned === null
  return (
    (filters.kind === '' || filters.kind === kind) &&
    (filters.risk === '' || isRisky) &&
    (filters.assigned === '' || isWhose) &&
    (filters.due === '' || Date.parse(dueAt) <= nowMs)
  )
}

/** The work with the highest risk first, then the others by due time. */
export function sortByRisk(items: readonly WorkItem[]): WorkItem[] {
  return items.toSorted((first, second) => (second.risk?.score ?? 0) - (first.risk?.score ?? 0))
}

/** The work by when it is due: overdue, on the reader's day of `nowMs`, or later. Each group keeps the order, and none is empty. */
export function groupByDue(
  items: readonly WorkItem[],
  nowMs: number,
): { readonly title: string; readonly items: readonly WorkItem[] }[] {
  const endOfDayMs = new Date(nowMs).setHours(24, 0, 0, 0)
  const groups = Object.groupBy(items, ({ dueAt }) => {
    const dueMs = Date.parse(dueAt)
    return dueMs <= nowMs ? 'Overdue' : dueMs < endOfDayMs ? 'Due today' : 'Due later'
  })
  return (['Overdue', 'Due today', 'Due later'] as const).flatMap((title) => {
    const items = groups[title]
    return items === undefined ? [] : [{ title, items }]
  })
}

export interface SortedWork {
  /** Cases that are assigned to the operator. */
  readonly yours: readonly WorkItem[]
  /** Second approvals and payouts, which stand on top. */
  readonly first: readonly WorkItem[]
  readonly rest: readonly WorkItem[]
  readonly others: readonly WorkItem[]
  /** The kinds with more than the list shows. */
  readonly more: readonly { readonly href: string; readonly title: string }[]
}

/** The work of the operator and of others. Each list keeps its order. */
export function sortWork(items: readonly WorkItem[], me: string | undefined): SortedWork {
  const isYours = ({ assigned }: WorkItem) => assigned !== null && assigned._id === me
  const mine = items.filter((item) => item.waitsFor === 'you' && !isYours(item))
  const isFirst = ({ kind, first }: WorkItem) => kind === 'payout' || kind === 'release' || first !== null
  return {
    yours: items.filter((item) => item.waitsFor === 'you' && isYours(item)),
    first: mine.filter(isFirst),
    rest: mine.filter((item) => !isFirst(item)),
    others: items.filter(({ waitsFor }) => waitsFor === 'others'),
    more: WORK_KIND_NAMES.filter(
      (kind) => items.filter((item) => item.kind === kind).length >= MOST_WORK,
    ).map(getWorkKind),
  }
}
