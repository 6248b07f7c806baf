import { mailDateText } from '../../../src/contract/dates.ts'
import type { KycKind } from '../../../src/contract/identity/kyc.ts'
import { formatCents } from '../../../src/contract/money.ts'
import type { Env } from '../../lib/env.ts'
import { composeNews, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

/** The recipient: columns that every row of an operator's queue has. */
interface Investor {
  readonly investorName: string
  readonly investorEmail: string
}

interface Request extends Investor {
  readonly ref: string
  readonly amount: number
}

export function depositCredited(env: Env, deposit: Request, amountCents: number): Mail {
  return buildRequestMail(env, deposit, `Your deposit ${deposit.ref} was credited`, [
    `We credited ${formatCents(amountCents)} to your account for your deposit ${deposit.ref}.`,
    'You can invest it now. You could lose all the money you invest.',
    buildLink(env, 'Choose a strategy', '/dashboard/strategies'),
  ])
}

export function depositRejected(env: Env, deposit: Request, reason: string): Mail {
  return buildRequestMail(env, deposit, `Your deposit ${deposit.ref} was rejected`, [
    `We could not credit your deposit ${deposit.ref} of ${formatCents(deposit.amount)}.`,
    `The reason: ${reason}`,
  ])
}

export function depositReversed(env: Env, deposit: Request, reason: string): Mail {
  return buildRequestMail(env, deposit, `Your deposit ${deposit.ref} was reversed`, [
    `We reversed the credit of ${formatCents(deposit.amount)} for your deposit ${deposit.ref}.`,
    `The reason: ${reason}`,
    'If you already used some of this money, you owe that part. Later credits repay it first. If you invested it, we redeem as much at the next valuation.',
  ])
}

/** Says until when a delayed withdrawal is not paid. */
export function buildWithdrawalApprovedMail(
  env: Env,
  withdrawal: Request & { readonly heldUntil: number | null },
  nowMs: number,
): Mail {
  const { heldUntil } = withdrawal
  const isDelayed = heldUntil !== null && heldUntil > nowMs
  return buildWithdrawalMail(env, withdrawal, 'approved', [
    'was approved. We will mail you when it is paid.',
    ...(isDelayed
      ? [
          `It is delayed until ${mailDateText(heldUntil)}, because the destination was new. We will not pay it before then.`,
        ]
      : []),
    'If you did not ask for this withdrawal, contact support at once.',
  ])
}

export function buildWithdrawalPaidMail(env: Env, withdrawal: Request, reference: string): Mail {
  return buildWithdrawalMail(env, withdrawal, 'paid', ['was paid.', `Its reference: ${reference}`])
}

export function buildWithdrawalRejectedMail(env: Env, withdrawal: Request, reason: string): Mail {
  return buildWithdrawalMail(env, withdrawal, 'rejected', [
    'was rejected. The amount is available again.',
    `The reason: ${reason}`,
  ])
}

export function buildWithdrawalReversedMail(env: Env, withdrawal: Request, reason: string): Mail {
  return buildRequestMail(env, withdrawal, `Your withdrawal ${withdrawal.ref} was reversed`, [
    `We reversed the payout of ${formatCents(withdrawal.amount)} for your withdrawal ${withdrawal.ref}. The amount is available again.`,
    `The reason: ${reason}`,
  ])
}

export function buildKycApprovedMail(env: Env, submission: Investor, kind: KycKind): Mail {
  if (kind === 'address')
    return write(submission, 'Your address is verified', [
      'We checked and approved your proof of address. You can withdraw any amount that is available.',
      buildLink(env, 'Make a withdrawal', '/dashboard/withdrawal'),
    ])
  return write(submission, 'Your identity is verified', [
    'We checked and approved your document. You can deposit and withdraw now.',
    buildLink(env, 'Make a deposit', '/dashboard/deposit'),
  ])
}

export function buildKycRejectedMail(
  env: Env,
  submission: Investor,
  kind: KycKind,
  reason: string,
  isFinal: boolean,
): Mail {
  if (isFinal)
    return write(submission, 'We cannot verify your identity', [
      'We checked your document and could not accept it. This decision is final: we do not accept another document.',
      `The reason: ${reason}`,
      'If you think that this is a mistake, please write to us and say why. Another person than the one who decided looks at it.',
      buildLink(env, 'Contact us', '/contact-us'),
    ])
  const document = kind === 'address' ? 'proof of address' : 'identity document'
  return write(submission, `Please send your ${document} again`, [
    `We checked your ${document} and could not accept it.`,
    `The reason: ${reason}`,
    buildLink(env, 'Send another document', '/dashboard/kyc'),
  ])
}

export function buildKycReopenedMail(env: Env, investor: Investor): Mail {
  return write(investor, 'You can send an identity document again', [
    'We looked at our decision again. You can send us another identity document now.',
    buildLink(env, 'Send a document', '/dashboard/kyc'),
  ])
}

export function buildAccountFrozenMail(env: Env, investor: Investor): Mail {
  return write(investor, 'Your account is frozen', [
    'We froze your account. You can sign in, read everything and cancel pending requests. No money can be moved until the freeze is lifted.',
    buildLink(env, 'Contact support', '/contact-us'),
  ])
}

export function buildAccountUnfrozenMail(env: Env, investor: Investor): Mail {
  return write(investor, 'Your account is no longer frozen', [
    'We lifted the freeze on your account. You can deposit and withdraw again.',
    buildLink(env, 'Go to your overview', '/dashboard/overview'),
  ])
}

export function buildBonusGrantedMail(env: Env, investor: Investor, amountCents: number): Mail {
  return write(investor, 'A bonus was added to your account', [
    `A bonus of ${formatCents(amountCents)} was added to your account. It is available now.`,
    buildLink(env, 'See your balance', '/dashboard/overview'),
  ])
}

/** Does not name the invited person. */
export function buildBonusTakenBackMail(env: Env, investor: Investor, amountCents: number): Mail {
  return write(investor, 'A referral bonus was taken back', [
    `We reversed the first deposit of somebody you invited, so we took back the bonus of ${formatCents(amountCents)}.`,
    'If you already used some of this money, you owe that part. Later credits repay it first.',
    buildLink(env, 'See your balance', '/dashboard/overview'),
  ])
}

/** A mail about a withdrawal. The first text continues the sentence that names its reference and amount. */
function buildWithdrawalMail(env: Env, request: Request, what: string, [outcome, ...more]: string[]): Mail {
  const { ref, amount } = request
  return buildRequestMail(env, request, `Your withdrawal ${ref} was ${what}`, [
    `Your withdrawal ${ref} of ${formatCents(amount)} ${outcome}`,
    ...more,
  ])
}

/** A mail with a link that opens the request in the history. */
function buildRequestMail(env: Env, request: Request, subject: string, texts: readonly Part[]): Mail {
  const path = `/dashboard/transaction-history?open=${request.ref}`
  return write(request, subject, [...texts, buildLink(env, 'See it in your transaction history', path)])
}

function write({ investorName, investorEmail }: Investor, subject: string, parts: readonly Part[]): Mail {
  return composeNews(investorEmail, subject, investorName, parts)
}

function buildLink(env: Env, label: string, path: string) {
  return { label, href: `${env.PUBLIC_ORIGIN}${path}` }
}
