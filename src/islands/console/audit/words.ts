import type { AuditEntry, AuditSubject } from '../../../contract/console/audit.ts'

const QUEUES: Partial<Record<AuditSubject, string>> = {
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  kyc: 'kyc',
  proposal: 'proposals',
  message: 'messages',
  wallet: 'wallets',
}

const PAGES: Partial<Record<AuditSubject, string>> = {
  setting: 'settings',
  reviewer_key: 'keys',
  invitation: 'operators',
}

/** The page of a person or thing, or null if it has none. */
export function buildLinkHref(kind: AuditSubject, id: string): string | null {
  const open = `open=${encodeURIComponent(id)}`
  if (kind === 'investor') return `/operator/investors?${open}`
  if (kind === 'operator') return `/operator/operators?${open}`
  if (kind === 'strategy') return `/operator/strategies?${open}`
  if (PAGES[kind] !== undefined) return `/operator/${PAGES[kind]}`
  return QUEUES[kind] === undefined ? null : `/operator/${QUEUES[kind]}?status=&${open}`
}

/** A line's details, with the ids: the values as recorded, against which its seal is checked. */
export function listDetails({ action, actor, subject, detail }: AuditEntry) {
  return [
    ['Action', action],
    ['Done by', actor],
    ['About', subject],
    ...Object.entries(detail).map(([key, value]) => [formatKeyLabel(key), String(value)]),
  ].map(([label = '', value = '']) => ({ label, value }))
}

/** "secondOperator" as "Second operator". */
function formatKeyLabel(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
