import type { Endpoint } from '../../src/contract/endpoint.ts'
import { routes } from '../../worker/routes.ts'

const VIEW = 'The first look of an hour is on the audit log before anything is shown'
const STEPS = 'The password is tried after what is asked was looked up, and before anything changes'
const TWICE = 'What the path names is found first (404), then what may stand in the way'

/** Calls that may take more round trips to the database than two for a read and three for a write, with the reason. */
export const MORE_TRIPS: Readonly<Record<string, readonly [trips: number, why: string]>> = {
  'GET /users/data': [5, 'On the audit log and mailed before the file, which is read while it is sent'],
  'GET /admin-wallets': [7, 'Where a chain proves payments, an investor is given an address of each chain'],
  'GET /operator/messages/:id': [3, 'References in the texts are looked up once the texts are read'],
  'GET /operator/handover': [3, 'References in the texts are looked up once the texts are read'],
  'GET /operator/audit-log': [3, 'What proposals say is read for the lines that are about one'],
  'GET /operator/audit-log/verify': [3, 'A mailed head is compared after its page, if one is given'],
  'GET /operator/kyc/:id/document': [3, 'On the audit log and the owner’s list before anything is shown'],
  'GET /operator/investors': [4, 'The risk of open cases is read after the accounts'],
  'GET /operator/investors/:id': [3, VIEW],
  'GET /operator/investors/:id/activity': [3, VIEW],
  'GET /operator/investors/:id/documents': [3, VIEW],
  'GET /operator/investors/:id/entries': [3, VIEW],
  'GET /operator/investors/:id/notes': [3, VIEW],
  'GET /operator/investors/:id/requests': [3, VIEW],
  'GET /operator/investors/:id/sessions': [3, VIEW],
  'GET /operator/investors/:id/notifications': [3, VIEW],

  'POST /auth/verify-email': [
    4,
    'The device of the registration is compared once the token named the account',
  ],
  'POST /operator/investors/:id/notification': [
    4,
    'The support address is read if the text names an address',
  ],
  'PATCH /users/user-info': [4, 'A new password is compared with the name before the present one is tried'],
  'POST /users/email': [
    5,
    'The address is compared, the password tried, and the mail to the new address counted',
  ],
  'POST /auth/confirm-email-change': [
    4,
    'Two mailboxes confirm; the later one of two at the same moment completes',
  ],
  'POST /auth/two-factor/enable': [6, 'App, password, factor and mailed code are tried one after the other'],
  'POST /auth/two-factor/disable': [4, STEPS],
  'POST /auth/two-factor/recovery-codes': [4, STEPS],
  'POST /users/passkeys': [4, 'The new passkey’s challenge is found before the mailed code is tried'],
  'POST /users/passkeys/options': [4, STEPS],
  'POST /users/passkeys/:id/remove': [4, STEPS],
  'POST /users/close': [4, STEPS],
  'POST /users/destination-lock/off': [4, STEPS],
  'POST /users/keys': [4, STEPS],
  'PATCH /users/addresses/:id': [4, 'The address is found (404) before the proof is tried'],
  'POST /users/addresses/:id/proof': [
    5,
    'The address (404) and its message are found before the password is tried',
  ],
  'POST /allocations/:id/redeem': [4, 'The position is found before the proof of the withdrawal is tried'],
  'POST /plans': [4, 'The saved address is found before the proof of the withdrawal is tried'],
  'PATCH /plans/:id': [4, 'The plan is found before the proof of the withdrawal is tried'],
  'POST /plans/:id/resume': [4, 'The plan is found before the proof of the withdrawal is tried'],
  'GET /monitoring': [4, 'Without a session: the count of the address, the token, health and queues'],
  'POST /operator/kyc/keys': [5, STEPS],
  'POST /operator/proposals': [5, 'Some kinds look up their subject in steps'],
  'POST /operator/operators/:id/roles': [4, TWICE],
  'POST /operator/operators/:id/enable': [4, TWICE],
  'POST /operator/operators/:id/reset-factor': [4, TWICE],
  'POST /operator/watch-wallets/:id/retire': [4, TWICE],
  'POST /operator/wallets/:id/proof': [4, TWICE],
  'POST /operator/deposits/:id/approve': [5, 'Another operator’s approval at the same moment is read again'],
  'POST /operator/payouts': [5, 'Coins are read after the withdrawals that they pay'],
  'POST /operator/payouts/:id/replace': [4, 'Coins are read after the payout'],
}

/** Reads that share the round trip of the session. */
const DECLARED = new Set(routes.flatMap(({ endpoint, reads }) => (reads ? [endpoint] : [])))

/**
 * The most round trips to the database of an answer that is no failure, the one for the session among them. Exports are on the audit
 * log before they are sent, and a filter by risk judges before it reads its page (`hasStep`). A second factor that is sent with an act takes one to be read.
 */
export function mostTrips(endpoint: Endpoint, hasStep = false): number {
  const { method, path, isQuery, asksFactor } = endpoint
  if (DECLARED.has(endpoint)) return 1
  const ordinary = method === 'GET' || isQuery ? (hasStep ? 3 : 2) : 3
  return (MORE_TRIPS[`${method} ${path}`]?.[0] ?? ordinary) + (asksFactor ? 1 : 0)
}
