import type { AuditEntry, AuditSubject } from '../../../contract/console/audit.ts'

/** The page of each kind of subject, and the parameter that opens one; null for a kind that only its investor's page shows. */
const PAGES: Readonly<Record<AuditSubject, string | null>> = {
  investor: 'investors?open=',
  operator: 'operators?open=',
  deposit: 'deposits?status=&open=',
  withdrawal: 'withdrawals?status=&open=',
  payout: 'payouts?open=',
  order: null,
  kyc: 'kyc?status=&open=',
  proposal: 'proposals?status=&open=',
  invitation: 'operators#',
  reviewer_key: 'keys#',
  wallet: 'wallets?status=&open=',
  watch_wallet: 'wallets?watch=',
  factor_recovery: 'lost-factors?status=&open=',
  sanctions: 'sanctions?status=&open=',
  payment: 'payments?open=',
  strategy: 'strategies?open=',
  setting: 'settings#',
  message: 'messages?status=&open=',
}

/** The page of a person or thing, or null if it has none. */
export function buildLinkHref(kind: AuditSubject, id: string): string | null {
  const page = PAGES[kind]
  return page === null ? null : `/operator/${page}${encodeURIComponent(id)}`
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
