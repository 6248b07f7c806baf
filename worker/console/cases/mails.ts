import { formatCents } from '../../../src/contract/money.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

/** Whom a mail goes to: columns that every row of an operator's queue has. */
interface Investor {
  readonly investorName: string
  readonly investorEmail: string
}

interface Request extends Investor {
  readonly ref: string
  readonly amount: number
}

export function depositCredited(env: Env, deposit: Request, amountCents: number): Mail {
  return write(deposit, `Your deposit ${deposit.ref} was credited`, [
    `We credited ${formatCents(amountCents)} to your account for your deposit ${deposit.ref}.`,
    link(env, 'See it in your transaction history', inHistory(deposit)),
  ])
}

export function depositRejected(env: Env, deposit: Request, reason: string): Mail {
  return write(deposit, `Your deposit ${deposit.ref} was rejected`, [
    `We could not credit your deposit ${deposit.ref} of ${formatCents(deposit.amount)}.`,
    `The reason: ${reason}`,
    link(env, 'See it in your transaction history', inHistory(deposit)),
  ])
}

export function withdrawalApproved(env: Env, withdrawal: Request): Mail {
  return write(withdrawal, `Your withdrawal ${withdrawal.ref} was approved`, [
    `Your withdrawal ${withdrawal.ref} of ${formatCents(withdrawal.amount)} was approved and will be paid. We write again once it is on its way.`,
    'If you did not ask for it, please contact support at once.',
    link(env, 'See it in your transaction history', inHistory(withdrawal)),
  ])
}

export function withdrawalPaid(env: Env, withdrawal: Request, reference: string): Mail {
  return write(withdrawal, `Your withdrawal ${withdrawal.ref} was paid`, [
    `Your withdrawal ${withdrawal.ref} of ${formatCents(withdrawal.amount)} was paid.`,
    `Its reference: ${reference}`,
    link(env, 'See it in your transaction history', inHistory(withdrawal)),
  ])
}

export function withdrawalRejected(env: Env, withdrawal: Request, reason: string): Mail {
  return write(withdrawal, `Your withdrawal ${withdrawal.ref} was rejected`, [
    `Your withdrawal ${withdrawal.ref} of ${formatCents(withdrawal.amount)} was rejected. The amount is available again.`,
    `The reason: ${reason}`,
    link(env, 'See it in your transaction history', inHistory(withdrawal)),
  ])
}

export function kycApproved(env: Env, submission: Investor): Mail {
  return write(submission, 'Your identity is verified', [
    'We looked at your document and approved it. You can deposit and withdraw now.',
    link(env, 'Go to your overview', '/dashboard/overview'),
  ])
}

export function kycRejected(env: Env, submission: Investor, reason: string): Mail {
  return write(submission, 'Please send your identity document again', [
    'We looked at your document and could not accept it.',
    `The reason: ${reason}`,
    link(env, 'Send another document', '/dashboard/kyc'),
  ])
}

export function accountFrozen(env: Env, investor: Investor): Mail {
  return write(investor, 'Your account is frozen', [
    'Your account was frozen. You can sign in, read everything and cancel what is pending, but no money can be moved until this is settled.',
    link(env, 'Contact support', '/contact-us'),
  ])
}

export function accountUnfrozen(env: Env, investor: Investor): Mail {
  return write(investor, 'Your account is no longer frozen', [
    'Your account is no longer frozen: you can deposit and withdraw again.',
    link(env, 'Go to your overview', '/dashboard/overview'),
  ])
}

export function bonusGranted(env: Env, investor: Investor, amountCents: number): Mail {
  return write(investor, 'A bonus was added to your account', [
    `A bonus of ${formatCents(amountCents)} was added to your account. It is available now.`,
    link(env, 'See your balance', '/dashboard/overview'),
  ])
}

export function depositReversed(env: Env, deposit: Request, reason: string): Mail {
  return write(deposit, `Your deposit ${deposit.ref} was reversed`, [
    `The credit of ${formatCents(deposit.amount)} for your deposit ${deposit.ref} was taken back.`,
    `The reason: ${reason}`,
    'What you had already used of it is owed, and later credits repay it first.',
    link(env, 'See it in your transaction history', inHistory(deposit)),
  ])
}

export function withdrawalReversed(env: Env, withdrawal: Request, reason: string): Mail {
  return write(withdrawal, `Your withdrawal ${withdrawal.ref} was reversed`, [
    `The payment of ${formatCents(withdrawal.amount)} for your withdrawal ${withdrawal.ref} was taken back. The amount is available again.`,
    `The reason: ${reason}`,
    link(env, 'See it in your transaction history', inHistory(withdrawal)),
  ])
}

function write(
  { investorName, investorEmail }: Investor,
  subject: string,
  parts: Parameters<typeof composeMail>[3],
): Mail {
  return composeMail(investorEmail, subject, investorName, parts)
}

/** The history with that request open. */
function inHistory({ ref }: Request): string {
  return `/dashboard/transaction-history?open=${ref}`
}

function link(env: Env, label: string, path: string) {
  return { label, href: `${env.PUBLIC_ORIGIN}${path}` }
}
