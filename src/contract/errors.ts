import type { PasskeyQuestion } from './fields.ts'

/**
 * Every refusal of the API: its stable code, HTTP status and message. The Worker answers from this list only, the
 * islands recognise its codes, and the OpenAPI document lists it.
 */
export const REFUSALS = {
  bad_request: [400, 'The request could not be read.'],
  invalid_json: [400, 'The request body is not valid JSON.'],
  invalid_form: [400, 'The form could not be read. Please send it again.'],
  invalid_token: [400, 'This link is wrong, was used already or has expired. Please request a new one.'],
  unauthorized: [401, 'Please sign in to continue.'],
  invalid_credentials: [401, 'The e-mail address or the password is wrong.'],
  two_factor_required: [401, 'Enter the code from your authenticator app, or a recovery code.'],
  invalid_sign_in_code: [401, 'That code is wrong or was used already.'],
  invalid_sign_in_passkey: [401, 'That passkey was not accepted. Please try again, or use a code.'],
  csrf_rejected: [403, 'This request did not come from our own pages. Reload the page and try again.'],
  email_not_verified: [403, 'Please verify your e-mail address first. The link is in the mail we sent you.'],
  forbidden: [403, 'Your account is not allowed to do this.'],
  two_factor_not_enabled: [403, 'Operators need a second factor. Turn it on first.'],
  decisions_reserved: [409, 'Decisions on this account are reserved for a role that the settings name.'],
  account_frozen: [
    403,
    'Your account is frozen. You can read everything, but no money can be moved. Please contact support.',
  ],
  account_locked: [
    403,
    'This account is locked, so nobody can sign in. The owner locked it with the link in one of our mails. Please contact support to have the lock lifted.',
  ],
  operator_disabled: [403, 'This account is disabled. Please ask an administrator.'],
  account_closed: [403, 'This account is closed. Please contact support if you have a question.'],
  kyc_required: [403, 'Please verify your identity first, on the KYC page.'],
  address_required: [
    403,
    'Please prove your address first, on the KYC page. Together with your earlier withdrawals, this one is above the amount from which we ask for it.',
  ],
  step_up_required: [403, 'Please confirm this with a code.'],
  invalid_code: [403, 'That code is wrong, was used already or has expired.'],
  second_factor_required: [403, 'Please confirm this with your second factor.'],
  invalid_passkey: [403, 'That passkey was not accepted. Please try again, or use another way.'],
  second_operator_required: [403, 'A second operator must decide this.'],
  key_of_another: [403, 'This signature was made with the key of another operator.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'This address does not support that method.'],
  wrong_host: [421, 'This host is not served here.'],
  conflict: [409, 'This is no longer possible, because something changed in the meantime.'],
  already_decided: [409, 'This was already decided.'],
  sanctions_hit_open: [
    409,
    'This person may be on the sanctions list. Compliance clears the hit first, under Sanctions.',
  ],
  case_assigned: [409, 'Another operator has this case. Take it over before you decide it.'],
  document_not_opened: [409, 'Open the document in this case first, and compare it yourself. Then decide.'],
  not_pending: [409, 'Only a pending request can be cancelled.'],
  too_many_open: [
    409,
    'You have 20 open requests of this kind. Please wait until one is decided, or cancel one.',
  ],
  debt_outstanding: [
    409,
    'This account has a debt from a reversed credit. Until it is repaid, nothing can be withdrawn, paid out or invested.',
  ],
  strategy_suspended: [
    409,
    'This strategy takes no new money at the moment. You can still redeem your units.',
  ],
  simulated_market: [
    409,
    'This strategy trades on a simulated market. It takes and returns no real money. Nothing was changed.',
  ],
  paper_trading: [
    409,
    'This strategy trades with simulated money, without a broker. It takes and returns no real money. Nothing was changed.',
  ],
  kyc_open: [409, 'We already have this document of yours.'],
  kyc_final: [
    409,
    'We do not accept another identity document from you. Please contact us if this is a mistake.',
  ],
  same_document: [409, 'This document is already on another account.'],
  recipients_changed: [
    409,
    'The reviewers’ keys changed in the meantime. Please encrypt the document to the current keys.',
  ],
  last_reviewer_key: [
    409,
    'This is the last reviewer key. Without it, documents would not be encrypted. Approve another key first.',
  ],
  last_administrator: [409, 'This is the last active administrator. Appoint another one first.'],
  money_left: [409, 'Your account cannot be closed yet. It still has money, open requests or a debt.'],
  destination_on_hold: [
    409,
    'This withdrawal goes to a new destination and is delayed. It can be paid once the delay is over.',
  ],
  destination_locked: [
    409,
    'Your account pays only saved destinations, and this is not one of them yet. Nothing was requested.',
  ],
  address_saved: [409, 'This address is already in your address book.'],
  too_many_addresses: [409, 'Your address book holds 50 addresses. Please delete one first.'],
  payment_not_proved: [
    409,
    'This deposit goes to the investor’s own address. It is credited once the chain proves its payment.',
  ],
  payment_undone: [
    409,
    'A credited payment of this account is no longer on its chain. Its amount cannot be withdrawn, paid out or invested until it is back or reversed.',
  ],
  daily_credit_ceiling: [
    409,
    'The credits of the last 24 hours would exceed the platform’s daily ceiling. Two administrators can raise it in the settings.',
  ],
  daily_payout_ceiling: [
    409,
    'The payouts of the last 24 hours would exceed the platform’s daily ceiling. Two administrators can raise it in the settings.',
  ],
  payouts_paused: [409, 'Payouts are paused. Two administrators resume them on the Treasury page.'],
  network_not_proved: [
    409,
    'This chain has no servers or no active watch-only wallet, so its withdrawals are paid and completed by hand.',
  ],
  not_enough_coins: [409, 'The wallet has not enough coins that can be spent now.'],
  paid_by_chain: [
    409,
    'Withdrawals on this network are paid by a payout, and the chain completes them. Nobody completes them by hand.',
  ],
  payout_sent: [
    409,
    'This withdrawal is in a payout that was sent. It can no longer be rejected: the chain completes it.',
  ],
  reserve_shortfall: [
    409,
    'The wallets held less than the books say at the last count of the reserves. No payout is released until a count shows that the difference is settled.',
  ],
  reference_used: [409, 'This reference was already used.'],
  approval_mismatch: [409, 'The first operator approved a different reference, amount or quantity.'],
  two_factor_enabled: [409, 'The second factor is already on.'],
  two_factor_not_set_up: [409, 'Set up the second factor first.'],
  too_many_entries: [
    422,
    'This period has more than 1,000 entries. Choose a shorter period or download it as CSV.',
  ],
  too_many_passkeys: [409, 'You have ten passkeys. Please remove one first.'],
  passkey_exists: [409, 'This passkey is already registered.'],
  two_factor_mandatory: [409, 'An operator’s second factor cannot be removed.'],
  idempotency_in_progress: [409, 'The first request with this key is still in progress. Try again shortly.'],
  payload_too_large: [413, 'That is too large. Files may have 8 MiB at most.'],
  unsupported_media_type: [415, 'This address does not accept this type of content.'],
  reason_required: [422, 'The risk of this case is high. Please say why you go on.'],
  validation_failed: [422, 'Please check what you entered.'],
  signed_differs: [422, 'The signed transaction is not the one that was built.'],
  wrong_password: [422, 'The current password is wrong.'],
  insufficient_funds: [422, 'That is more than what is available.'],
  invalid_idempotency_key: [422, 'An Idempotency-Key must have 1 to 255 visible ASCII characters.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used for another request.'],
  too_many_notifications: [
    429,
    'You reached your daily limit of messages to investors. Propose an announcement to reach more people.',
  ],
  too_many_codes: [
    429,
    'Too many wrong codes in the last seven days. Codes from your app are refused for now. Use a passkey or a recovery code.',
  ],
  too_many_requests: [429, 'Too many tries. Please wait a little and try again.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed. Please try again.'],
  unavailable: [503, 'We cannot answer right now. Please try again shortly.'],
} as const satisfies Record<string, readonly [status: number, msg: string]>

export type RefusalCode = keyof typeof REFUSALS

/** The code on the wire. Refusals with different statuses may share one public code. */
export function toPublicCode(code: RefusalCode): string {
  switch (code) {
    case 'invalid_sign_in_code':
      return 'invalid_code'
    case 'invalid_sign_in_passkey':
      return 'invalid_passkey'
    case 'daily_credit_ceiling':
    case 'daily_payout_ceiling':
      return 'daily_ceiling_reached'
    default:
      return code
  }
}

/** The body of every error, at every status. */
export interface ErrorBody {
  msg: string
  code: string
  fields?: Record<string, string>
  methods?: string[]
  reasons?: string[]
  /** Present when `methods` includes `passkey`: the challenge for the passkey to sign. */
  passkey?: PasskeyQuestion
}
