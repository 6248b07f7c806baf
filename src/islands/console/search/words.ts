import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import type { InvestorSummary } from '../../../contract/console/investors.ts'
import type { SearchResults } from '../../../contract/console/search.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatUsd } from '../../../contract/money.ts'

export interface Result {
  readonly href: string
  readonly title: string
  readonly detail: string
}

type OpenCase = Pick<InvestorSummary['open'][number], 'kind' | 'ref' | '_id'>
type CaseKind = OpenCase['kind']

export const QUEUES: Record<CaseKind, { readonly path: string; readonly label: string }> = {
  deposit: { path: 'deposits', label: 'Deposit' },
  withdrawal: { path: 'withdrawals', label: 'Withdrawal' },
  kyc: { path: 'kyc', label: 'Identity document' },
  message: { path: 'messages', label: 'Message' },
  recovery: { path: 'lost-factors', label: 'Lost second factor' },
}

/** The address of a case in its queue. */
export function buildCaseHref({ kind, ref, _id }: OpenCase): string {
  return `/operator/${QUEUES[kind].path}?status=&query=${encodeURIComponent(ref)}&open=${encodeURIComponent(_id)}`
}

/** The results in one list: cases, watch-only wallets, investors, then operators, with what they did. */
export function listResults({ people, cases, wallets, operators }: SearchResults): Result[] {
  return [
    ...cases.map(({ _id, kind, ref, amount, person, status }) => ({
      href: buildCaseHref({ kind, ref, _id }),
      title: `${QUEUES[kind].label} ${ref}${amount === null ? '' : `, ${formatUsd(amount)}`}`,
      detail: `${isolate(person)} · ${status}`,
    })),
    ...wallets.map(({ _id, chain, active, keyNames }) => ({
      href: `/operator/wallets?watch=${encodeURIComponent(_id)}`,
      title: `Watch-only wallet on ${CHAIN_LABELS[chain]}`,
      detail: `${keyNames.join(', ')} · ${active ? 'in use' : 'retired'}`,
    })),
    ...people.map(({ _id, name, email }) => ({
      href: `/operator/investors?open=${encodeURIComponent(_id)}`,
      title: name,
      detail: email,
    })),
    ...operators.map(({ _id, name, email }) => ({
      href: `/operator/audit-log?${new URLSearchParams({ actor: _id })}`,
      title: `${isolate(name)} in the audit log`,
      detail: `${email} · operator`,
    })),
  ]
}
