/**
 * Every action that is written on the audit log. The types of the Worker’s audit lines and of the endpoints’ `audit` are the keys of
 * these two lists, so an action without words does not compile. The log stores no words.
 */

/**
 * What owners do with their account: how the console says it, and how the owner’s activity log does. `null` keeps it out of that
 * log, because a mail or a page already shows it, or nobody is left to read it.
 */
const OWNER_ACTIONS = {
  'account.closed': { label: 'Closed their account', activity: null },
  'account.data_downloaded': { label: 'Downloaded their data', activity: 'Personal data downloaded' },
  'account.locked': {
    label: 'Locked their account with the link in a security mail',
    activity: 'Account locked',
  },
  'account.opened': { label: 'Opened an account', activity: 'Account opened' },
  'address.code_mailed': { label: 'Asked for a mailed code for the address book', activity: null },
  'address.deleted': {
    label: 'Deleted a withdrawal destination',
    activity: 'Address removed from the address book',
  },
  'address.challenged': { label: 'Asked for a message to prove a wallet', activity: null },
  'address.proved': {
    label: 'Proved that a saved address is their own',
    activity: 'Address proved as your own',
  },
  'address.renamed': {
    label: 'Renamed a withdrawal destination',
    activity: 'Address renamed in the address book',
  },
  'address.saved': { label: 'Saved a withdrawal destination', activity: 'Address saved in the address book' },
  'allocation.requested': {
    label: 'Placed an order to invest',
    activity: 'Investment in a strategy requested',
  },
  'deposit.cancelled': { label: 'Cancelled a deposit', activity: 'Deposit request cancelled' },
  'deposit.requested': { label: 'Requested a deposit', activity: 'Deposit requested' },
  'destination_lock.off_asked': {
    label: 'Asked to switch off “only saved destinations”',
    activity: 'Switching off “only saved destinations” requested',
  },
  'destination_lock.on': {
    label: 'Switched on “only saved destinations”',
    activity: '“Only saved destinations” switched on',
  },
  'email.change_asked': {
    label: 'Asked to change their e-mail address',
    activity: 'Change of e-mail address requested',
  },
  'email.change_cancelled': {
    label: 'Cancelled the change of their e-mail address',
    activity: 'Change of e-mail address cancelled',
  },
  'email.changed': { label: 'Changed their e-mail address', activity: 'E-mail address changed' },
  'email.verified': { label: 'Verified their e-mail address', activity: 'E-mail address verified' },
  'factor_recovery.filed': {
    label: 'Asked to remove their lost second factor',
    activity: 'Removal of a lost second factor requested',
  },
  'factor_recovery.stopped': {
    label: 'Stopped the removal of their second factor',
    activity: 'Removal of the second factor stopped',
  },
  'gains.method_fixed': {
    label: 'Fixed the method of their gains for a year',
    activity: 'Method of the gains of a year fixed',
  },
  'key.created': {
    label: 'Created a key that reads their account',
    activity: 'Key for a program or guest link created',
  },
  'key.revoked': {
    label: 'Revoked a key that reads their account',
    activity: 'Key for a program or guest link revoked',
  },
  'kyc.reopened': {
    label: 'Changed the full name, which sends an identity document back to review',
    activity: null,
  },
  'kyc.submitted': { label: 'Submitted an identity document', activity: 'Identity document sent' },
  'message.continued': { label: 'Wrote again about a message', activity: null },
  'operator.joined': { label: 'Accepted an invitation and became an operator', activity: 'Account opened' },
  'order.cancelled': { label: 'Cancelled an order', activity: 'Investment or redemption cancelled' },
  'passkey.added': { label: 'Added a passkey', activity: 'Passkey added' },
  'passkey.counter_fell': {
    label: 'Used a passkey whose counter fell, so it may have been copied',
    activity: null,
  },
  'passkey.removed': { label: 'Removed a passkey', activity: 'Passkey removed' },
  'passkey.renamed': { label: 'Renamed a passkey', activity: 'Passkey renamed' },
  'password.changed': { label: 'Changed their password', activity: 'Password changed' },
  'password.reset': {
    label: 'Chose a new password with a mailed link',
    activity: 'Password reset by a mailed link',
  },
  'plan.changed': { label: 'Changed a recurring plan', activity: 'Recurring plan changed' },
  'plan.created': { label: 'Made a recurring plan', activity: 'Recurring plan made' },
  'plan.ended': { label: 'Ended a recurring plan', activity: 'Recurring plan ended' },
  'plan.paused': { label: 'Paused a recurring plan', activity: 'Recurring plan paused' },
  'plan.resumed': { label: 'Resumed a recurring plan', activity: 'Recurring plan resumed' },
  'plan.skipped': {
    label: 'Skipped a date of a recurring plan',
    activity: 'Date of a recurring plan skipped',
  },
  'tax_details.saved': { label: 'Said where they pay taxes', activity: 'Tax residence saved' },
  'preferences.changed': { label: 'Changed their preferences', activity: 'Preferences changed' },
  'profile.changed': { label: 'Changed their profile', activity: 'Personal information changed' },
  'redemption.requested': {
    label: 'Placed an order to redeem',
    activity: 'Redemption from a strategy requested',
  },
  'stop.ended': { label: 'Ended the stop of a position', activity: 'Stop of a position ended' },
  'stop.set': { label: 'Set the stop of a position', activity: 'Stop of a position set' },
  'session.ended': { label: 'Signed out', activity: 'Signed out' },
  'session.opened': { label: 'Signed in', activity: 'Signed in' },
  'session.opened_by_passkey': {
    label: 'Signed in with a passkey alone',
    activity: 'Signed in with a passkey',
  },
  'session.opened_by_link': {
    label: 'Signed in with a mailed link',
    activity: 'Signed in with a mailed link',
  },
  'session.revoked': { label: 'Ended one of their sessions', activity: 'Session ended' },
  'two_factor.code_mailed': { label: 'Asked for a mailed code for a new second factor', activity: null },
  'two_factor.disabled': {
    label: 'Turned off codes from an authenticator app',
    activity: 'Second factor turned off',
  },
  'two_factor.enabled': {
    label: 'Turned on codes from an authenticator app',
    activity: 'Second factor turned on',
  },
  'two_factor.recovery_codes_renewed': {
    label: 'Made new recovery codes',
    activity: 'Recovery codes replaced',
  },
  'withdrawal.cancelled': { label: 'Cancelled a withdrawal', activity: 'Withdrawal request cancelled' },
  'withdrawal.code_mailed': { label: 'Asked for a mailed code for a withdrawal', activity: null },
  'withdrawal.link_used': {
    label: 'Confirmed a withdrawal with the link in a mail',
    activity: 'Withdrawal confirmed with the link in a mail',
  },
  'withdrawal.requested': { label: 'Requested a withdrawal', activity: 'Withdrawal requested' },
} as const satisfies Record<string, { readonly label: string; readonly activity: string | null }>

/** What operators, jobs and triggers do. No activity log has these. */
const OTHER_ACTIONS = {
  'account.erased': 'Erased the personal data of an investor',
  'announcement.approved': 'Sent an announcement to its subscribers',
  'audit_log.exported': 'Exported the audit log',
  'blocks.retried': 'Had blocks searched again that could not be searched',
  'bonus.granted': 'Granted an investor a bonus',
  'bonus.reversed': 'Took back a referral bonus from an investor',
  'case.asked': 'Asked an investor about a case',
  'case.assigned': 'Took or assigned a case',
  'case.taken_over': 'Took over a case from another operator',
  'case.unassigned': 'Gave back a case',
  'deposit.approval_mismatched': 'Gave a deposit a second approval that differs from the first',
  'deposit.approval_withdrawn': 'Withdrew the first approval of a deposit',
  'deposit.credited': 'Credited a deposit',
  'deposit.first_approval': 'Gave a deposit the first of two approvals',
  'deposit.rejected': 'Rejected a deposit',
  'deposit.reversed': 'Reversed the credit of a deposit',
  'deposits.exported': 'Exported deposits',
  'factor_recovery.approved': 'Approved the removal of an investor’s second factor',
  'factor_recovery.completed': 'Removed an investor’s second factor',
  'factor_recovery.rejected': 'Rejected the removal of an investor’s second factor',
  'handover.read': 'Read the notes of the handover',
  'handover.written': 'Wrote a note for the handover',
  'investor.entries_exported': 'Exported an investor’s ledger entries',
  'investor.frozen': 'Froze an investor’s account',
  'investor.noted': 'Wrote a note about an investor',
  'investor.noted_confidentially': 'Wrote a confidential note about an investor',
  'investor.notified': 'Sent an investor a notification',
  'investor.sessions_ended': 'Ended all sessions of an investor',
  'investor.silent_freeze_ended': 'Ended the silent freeze of an investor’s account',
  'investor.silent_freeze_renewed': 'Renewed the silent freeze of an investor’s account',
  'investor.silently_frozen': 'Began a silent freeze of an investor’s account',
  'investor.unfrozen': 'Unfroze an investor’s account',
  'investor.unlock_first': 'Gave the first of two approvals to unlock an investor’s account',
  'investor.viewed': 'Viewed an investor’s page',
  'kyc.approved': 'Approved an identity document',
  'kyc.document_resealed': 'Encrypted an identity document to the current keys',
  'kyc.document_shredded': 'Deleted an identity document',
  'kyc.document_viewed': 'Opened an identity document',
  'investors.exported': 'Exported investors',
  'kyc.exported': 'Exported identity checks',
  'kyc.final_proposed': 'Proposed to reject an identity for good',
  'kyc.final_lifted': 'Accepted identity documents of an investor again',
  'kyc.rejected': 'Rejected an identity document',
  'message.answered': 'Replied to a message',
  'message.closed': 'Closed a message',
  'message.reopened': 'Reopened a message',
  'messages.exported': 'Exported messages',
  'monitoring_token.created': 'Created a token for a monitoring program',
  'monitoring_token.revoked': 'Revoked the token of a monitoring program',
  'month.closed': 'Closed a month',
  'operator.disabled': 'Disabled an operator’s access',
  'operator.enabled': 'Restored an operator’s access',
  'operator.factor_reset': 'Removed an operator’s second factor',
  'operator.invitation_withdrawn': 'Withdrew an invitation',
  'operator.invited': 'Sent an invitation',
  'operator.roles_changed': 'Changed an operator’s roles',
  'operator.sessions_ended': 'Ended all sessions of an operator',
  'outbox.retried': 'Retried the mails that were waiting',
  'payment.closed': 'Closed a payment that was not credited',
  'payment.returned': 'Found that the payment of a deposit is back on its chain',
  'payment.undone': 'Found that the payment of a deposit is no longer on its chain',
  'payout.built': 'Built a payout',
  'payout.cancelled': 'Cancelled a payout',
  'payout.confirmed': 'Found that the chain confirmed a payout',
  'payout.displaced': 'Found that another transaction replaced a payout',
  'payout.failed': 'Found that a payout failed on its chain',
  'payout.release_mismatched': 'Submitted a signed transaction that differs from a payout',
  'payout.released': 'Released a payout',
  'payout.replaced': 'Built a replacement of a payout with a higher fee',
  'payout.signed': 'Added a signature to a payout',
  'payout.signed_with_key_of_another': 'Submitted a signature made with the key of another operator',
  'plan.not_run': 'Could not run a date of a recurring plan',
  'plan.stopped': 'Could not run a date of a recurring plan, and paused it',
  'payouts.paused': 'Paused all payouts',
  'payouts.resumed': 'Resumed payouts',
  'proposal.approved': 'Approved a proposal',
  'proposal.created': 'Made a proposal',
  'proposal.rejected': 'Rejected a proposal',
  'payments.exported': 'Exported payments',
  'proposals.exported': 'Exported proposals',
  'redemption.not_withdrawn': 'Could not withdraw the proceeds of an order, which stay available',
  'referral.lapsed': 'Ended a referral without a bonus',
  'reviewer_key.approved': 'Approved a document key',
  'reviewer_key.proposed': 'Proposed a document key',
  'reviewer_key.retired': 'Retired a document key',
  'risk.accepted': 'Decided a case despite its high risk',
  'screening.clear': 'Compared a case with the sanctions list: no hit',
  'screening.cleared': 'Cleared a possible hit on the sanctions list',
  'screening.finished': 'Compared all customers with a new sanctions list',
  'screening.hit': 'Compared a case with the sanctions list: possible hit',
  'service_notice.approved': 'Sent a service notice to all investors',
  'settings.changed': 'Changed a setting',
  'stop.refused': 'Could not sell a position at its stop',
  'strategy.resumed': 'Resumed a strategy',
  'strategy.started': 'Started a strategy',
  'strategy.stopped': 'Stopped a strategy for good',
  'strategy.suspended': 'Suspended a strategy',
  'trading.resumed': 'Resumed trading at exchanges',
  'trading.stopped': 'Stopped trading at exchanges',
  'treasury.booked': 'Booked an entry of the treasury',
  'treasury.cleared': 'Cleared a difference of the treasury',
  'carf.exported': 'Exported the yearly report to tax authorities',
  'recoveries.exported': 'Exported reports of lost second factors',
  'treasury.exported': 'Exported the journal of the treasury',
  'venue.debt_paid': 'Paid the debt of a strategy with the company’s money',
  'venue.trading_started': 'Let a strategy trade with money',
  'venue.transferred': 'Recorded a transfer to or from an exchange',
  'wallet.added': 'Added a receiving wallet',
  'wallet.challenged': 'Asked for proof of control of a receiving wallet',
  'wallet.proved': 'Added a proof of control to a receiving wallet',
  'wallet.retired': 'Retired a receiving wallet',
  'watch_wallet.added': 'Added a watch-only wallet',
  'watch_wallet.challenged': 'Asked for proof of control of a watch-only wallet',
  'watch_wallet.key_assigned': 'Assigned a key of a watch-only wallet',
  'watch_wallet.retired': 'Retired a watch-only wallet',
  'withdrawal.approved': 'Approved a withdrawal',
  'withdrawal.completed': 'Paid a withdrawal',
  'withdrawal.rejected': 'Rejected a withdrawal',
  'withdrawal.reversed': 'Reversed the payment of a withdrawal',
  'withdrawals.exported': 'Exported withdrawals',
} as const satisfies Record<string, string>

type OwnerAction = keyof typeof OWNER_ACTIONS
export type AuditAction = OwnerAction | keyof typeof OTHER_ACTIONS

/** The label of each action: what follows the actor’s name. */
export const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  ...(Object.fromEntries(
    Object.entries(OWNER_ACTIONS).map(([action, { label }]) => [action, label]),
  ) as Record<OwnerAction, string>),
  ...OTHER_ACTIONS,
}

/** The areas of the actions, by the first part of their names. */
const AREAS: readonly (readonly [label: string, prefixes: readonly string[]])[] = [
  ['Deposits and payments', ['deposit', 'deposits', 'payment', 'payments', 'blocks']],
  [
    'Withdrawals and payouts',
    ['withdrawal', 'withdrawals', 'payout', 'payouts', 'address', 'destination_lock'],
  ],
  ['Identity and screening', ['kyc', 'reviewer_key', 'screening']],
  [
    'Accounts of investors',
    [
      'investor',
      'investors',
      'account',
      'profile',
      'preferences',
      'tax_details',
      'gains',
      'carf',
      'referral',
      'bonus',
      'key',
    ],
  ],
  [
    'Sign-in and security',
    ['session', 'password', 'passkey', 'two_factor', 'factor_recovery', 'recoveries', 'email'],
  ],
  [
    'Cases, messages and mails',
    ['case', 'handover', 'risk', 'message', 'messages', 'announcement', 'service_notice', 'outbox'],
  ],
  [
    'Strategies and exchanges',
    ['strategy', 'allocation', 'redemption', 'order', 'plan', 'stop', 'trading', 'venue'],
  ],
  ['Treasury and wallets', ['treasury', 'month', 'wallet', 'watch_wallet']],
  [
    'Operators and settings',
    ['operator', 'proposal', 'proposals', 'settings', 'monitoring_token', 'audit_log'],
  ],
]

/** The actions of each area with their labels, sorted by label. Each action is in one area. */
export function listActionsByArea() {
  const actions = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }))
  return AREAS.map(([label, prefixes]) => ({
    label,
    options: actions
      .filter(({ value }) => prefixes.includes(value.split('.')[0] ?? ''))
      .toSorted((left, right) => (left.label < right.label ? -1 : 1)),
  }))
}

/** Only operators with the role for confidential notes, and auditors, see these lines. The person never gets them. */
export const CONFIDENTIAL_ACTIONS = [
  'investor.noted_confidentially',
  'investor.silently_frozen',
  'investor.silent_freeze_renewed',
  'investor.silent_freeze_ended',
] as const satisfies readonly AuditAction[]

/** Entries of the activity log that are not on the audit log. */
const OTHER_EVENTS = { recovery_code_used: 'Recovery code used', sign_in_failed: 'Sign-in failed' }

export type ActivityEvent = OwnerAction | keyof typeof OTHER_EVENTS

/** Whether an action of the audit log is also in the activity log of the account’s owner. */
export function isShownToOwner(action: AuditAction): action is OwnerAction {
  return isOwnerAction(action) && OWNER_ACTIONS[action].activity !== null
}

/** The words of an entry of the activity log. An unknown event, which only a write past the Worker can add, is its own words. */
export function getActivityLabel(event: string): string {
  if (Object.hasOwn(OTHER_EVENTS, event)) return OTHER_EVENTS[event as keyof typeof OTHER_EVENTS]
  return (isOwnerAction(event) && OWNER_ACTIONS[event].activity) || event
}

/** The label of an action: what follows the actor’s name. An unknown one is its own label. */
export function getActionLabel(action: string): string {
  return Object.hasOwn(ACTION_LABELS, action) ? ACTION_LABELS[action as AuditAction] : action
}

function isOwnerAction(action: string): action is OwnerAction {
  return Object.hasOwn(OWNER_ACTIONS, action)
}
