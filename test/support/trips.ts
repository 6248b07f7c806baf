import type { Endpoint } from '../../src/contract/endpoint.ts'

const VIEW = 'The first look of an hour is on the audit log before anything is shown'
const STEPS = 'The password is tried after what is asked was looked up, and before anything changes'
const TWICE = 'What the path names is found first (404), then what may stand in the way'

/** Calls that may take more round trips to the database than one for a read and two for a write, with the reason. Without the one for the session before a body. */
export const MORE_TRIPS: Readonly<Record<string, readonly [trips: number, why: string]>> = {
  'GET /users/data': [4, 'On the audit log and mailed before the file, which is read while it is sent'],
  'GET /admin-wallets': [6, 'Where a chain proves payments, an investor is given an address of each chain'],
  'GET /operator/messages/:id': [2, 'References in the texts are looked up once the texts are read'],
  'GET /operator/audit-log/verify': [2, 'A mailed head is compared after its page, if one is given'],
  'GET /operator/kyc/:id/document': [2, 'On the audit log and the owner’s list before anything is shown'],
  'GET /operator/investors/:id': [2, VIEW],
  'GET /operator/investors/:id/activity': [2, VIEW],
  'GET /operator/investors/:id/documents': [2, VIEW],
  'GET /operator/investors/:id/entries': [2, VIEW],
  'GET /operator/investors/:id/notes': [2, VIEW],
  'GET /operator/investors/:id/requests': [2, VIEW],
  'GET /operator/investors/:id/sessions': [2, VIEW],
  'GET /operator/investors/:id/notifications': [2, VIEW],

  'POST /auth/verify-email': [
    3,
    'The device of the registration is compared once the token named the account',
  ],
  'POST /operator/investors/:id/notification': [
    3,
    'The support address is read if the text names an address',
  ],
  'POST /auth/login': [3, 'A password hash of an older cost is replaced'],
  'PATCH /users/user-info': [3, 'A new password is compared with the name before the present one is tried'],
  'POST /users/email': [
    4,
    'The address is compared, the password tried, and the mail to the new address counted',
  ],
  'POST /auth/confirm-email-change': [
    3,
    'Two mailboxes confirm; the later one of two at the same moment completes',
  ],
  'POST /auth/two-factor/enable': [5, 'App, password, factor and mailed code are tried one after the other'],
  'POST /auth/two-factor/disable': [3, STEPS],
  'POST /auth/two-factor/recovery-codes': [3, STEPS],
  'POST /users/passkeys': [3, 'The new passkey’s challenge is found before the mailed code is tried'],
  'POST /users/passkeys/options': [3, STEPS],
  'POST /users/passkeys/:id/remove': [3, STEPS],
  'POST /users/close': [3, STEPS],
  'PATCH /users/addresses/:id': [3, 'The address is found (404) before the proof is tried'],
  'POST /allocations/:id/redeem': [3, 'The position is found before the proof of the withdrawal is tried'],
  'POST /operator/kyc/keys': [4, STEPS],
  'POST /operator/proposals': [4, 'Some kinds look up their subject in steps'],
  'POST /operator/operators/:id/roles': [3, TWICE],
  'POST /operator/operators/:id/enable': [3, TWICE],
  'POST /operator/operators/:id/reset-factor': [3, TWICE],
  'POST /operator/watch-wallets/:id/retire': [3, TWICE],
  'POST /operator/wallets/:id/proof': [3, TWICE],
  'POST /operator/deposits/:id/approve': [4, 'Another operator’s approval at the same moment is read again'],
  'POST /operator/payouts': [4, 'Coins are read after the withdrawals that they pay'],
  'POST /operator/payouts/:id/replace': [3, 'Coins are read after the payout'],
}

/**
 * The most round trips to the database of an answer that is no failure. Exports are on the audit log before they are sent. The
 * session of a call with a body is looked up before the body is read; that of an upload is looked up with its first reads.
 */
export function mostTrips(endpoint: Endpoint, isExport = false): number {
  const { method, path, isQuery, scope, body, files } = endpoint
  const ordinary = method === 'GET' || isQuery ? (isExport ? 2 : 1) : 2
  const forSession = scope !== 'public' && body !== undefined && files === undefined ? 1 : 0
  return (MORE_TRIPS[`${method} ${path}`]?.[0] ?? ordinary) + forSession
}
