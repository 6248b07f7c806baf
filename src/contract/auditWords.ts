import { formatUsd } from './money.ts'
import type { ROLES_OF_PROPOSALS } from './roles.ts'

/** The kinds of things that an audit line can be about, with the noun for each. */
const NOUNS = {
  investor: 'investor',
  operator: 'operator',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  payout: 'payout',
  order: 'order',
  kyc: 'identity document',
  proposal: 'proposal',
  invitation: 'invitation',
  reviewer_key: 'document key',
  wallet: 'receiving wallet',
  watch_wallet: 'watch-only wallet',
  strategy: 'strategy',
  setting: 'setting',
  message: 'message',
} as const

export type AuditSubject = keyof typeof NOUNS
export const AUDIT_SUBJECTS = Object.keys(NOUNS) as readonly AuditSubject[]

type ProposalForm =
  | Exclude<keyof typeof ROLES_OF_PROPOSALS, 'operator' | 'strategy'>
  | 'operator_invite'
  | 'operator_roles'
  | 'operator_enable'
  | 'operator_reset_factor'
  | 'strategy_resume'
  | 'strategy_stop'

/**
 * What each kind of order and of proposal does. In these and in the words of actions, `{name}` is the person, `{amount}` an
 * amount in USD, `{label}` another name, like a strategy's, and `[…]` links to the thing itself.
 */
const FORMS = {
  allocate: '[order to invest {amount} in {label}]',
  redeem: '[order to redeem {amount} from {label}]',
  bonus: '[a bonus of {amount}] for {name}',
  wallet: '[a receiving wallet for {label}]',
  settings: '[a change of {label}]',
  reversal: '[the reversal] of {name}’s {label} of {amount}',
  reviewer_key: '{name}’s [document key]',
  announcement: '[the announcement “{label}”]',
  operator_invite: '[an invitation] for {name}',
  operator_roles: '[new roles] for {name}',
  operator_enable: '[restored access] for {name}',
  operator_reset_factor: '[the removal] of {name}’s second factor',
  strategy_resume: '[resuming the strategy {label}]',
  strategy_stop: '[stopping the strategy {label} for good]',
  factor_recovery: '[the removal] of {name}’s second factor',
  watch_wallet: '[a watch-only wallet for {label}]',
  venue: '[a change of trading at exchanges]',
  watch_wallet_retirement: '[the retirement] of the watch-only wallet for {label}',
} as const satisfies Record<ProposalForm | 'allocate' | 'redeem', string>

export type AuditForm = keyof typeof FORMS
export const AUDIT_FORMS = Object.keys(FORMS) as readonly AuditForm[]

interface ActionWords {
  /**
   * What follows the actor's name. `{the}` is the thing with its owner: "Ana Torres’s deposit of $500.00", "their deposit …" if
   * it is the actor's own. `{a}` is the same with an article: "a deposit of $500.00".
   */
  readonly says: string
  /** The subject of the action; undefined for the actor's own account. */
  readonly about?: AuditSubject
  /** Its name in a list to choose from, if its words alone do not tell it from others. */
  readonly label?: string
  /** The job that does it if the actor is `system`. */
  readonly job?: string
}

const ERASURE = 'The erasure job'
const STRATEGIES = 'The strategy job'
const PROCEEDS = 'The redemption job'
const REFERRALS = 'The referral job'
const PAYOUTS = 'The payout job'
const PAYMENTS = 'The payment job'
const RECOVERIES = 'The second-factor recovery job'

/**
 * Every action that is written on the audit log, with its words. The type of the Worker's audit lines is the list of these keys,
 * so an action without words does not compile. The log stores no words: they are made when it is read.
 */
export const AUDIT_ACTIONS = {
  'account.opened': { says: 'opened an account' },
  'account.closed': { says: 'closed their account' },
  'account.erased': { says: 'erased the personal data of {name}', about: 'investor', job: ERASURE },
  'account.locked': { says: 'locked their account with the link in a security mail' },
  'account.data_downloaded': { says: 'downloaded their data' },
  'address.saved': { says: 'saved a withdrawal destination' },
  'address.code_mailed': { says: 'asked for a mailed code for the address book' },
  'address.renamed': { says: 'renamed a withdrawal destination' },
  'address.deleted': { says: 'deleted a withdrawal destination' },
  'allocation.requested': { says: 'placed {a}', about: 'order', label: 'Placed an order to invest' },
  'announcement.approved': { says: 'sent {the} to its subscribers', about: 'proposal' },
  'audit_log.exported': { says: 'exported the audit log' },
  'bonus.granted': {
    says: 'granted {name} a bonus of {amount}',
    about: 'investor',
    job: REFERRALS,
  },
  'bonus.reversed': { says: 'took back a referral bonus of {amount} from {name}', about: 'investor' },
  'deposit.requested': { says: 'requested {a}', about: 'deposit' },
  'deposit.cancelled': { says: 'cancelled {the}', about: 'deposit' },
  'deposit.approval_mismatched': {
    says: 'gave a second approval that differs from the first to {the}',
    about: 'deposit',
  },
  'deposit.first_approval': { says: 'gave the first of two approvals to {the}', about: 'deposit' },
  'deposit.approval_withdrawn': { says: 'withdrew the first approval of {the}', about: 'deposit' },
  'deposit.credited': { says: 'credited {the}', about: 'deposit', job: PAYMENTS },
  'deposit.rejected': { says: 'rejected {the}', about: 'deposit' },
  'deposit.assigned': { says: 'took {the}', about: 'deposit' },
  'deposit.unassigned': { says: 'gave back {the}', about: 'deposit' },
  'deposit.reversed': { says: 'reversed the credit of {the}', about: 'deposit' },
  'deposits.exported': { says: 'exported deposits' },
  'email.verified': { says: 'verified their e-mail address' },
  'email.change_asked': { says: 'asked to change their e-mail address' },
  'email.change_cancelled': { says: 'cancelled the change of their e-mail address' },
  'email.changed': { says: 'changed their e-mail address' },
  'factor_recovery.filed': { says: 'asked to remove their lost second factor' },
  'factor_recovery.approved': { says: 'approved the removal of {name}’s second factor', about: 'investor' },
  'factor_recovery.rejected': { says: 'rejected the removal of {name}’s second factor', about: 'investor' },
  'factor_recovery.assigned': {
    says: 'took the request to remove {name}’s second factor',
    about: 'investor',
  },
  'factor_recovery.unassigned': {
    says: 'gave back the request to remove {name}’s second factor',
    about: 'investor',
  },
  'factor_recovery.stopped': { says: 'stopped the removal of their second factor' },
  'factor_recovery.completed': {
    says: 'removed {name}’s second factor',
    about: 'investor',
    job: RECOVERIES,
  },
  'investor.frozen': { says: 'froze {name}’s account', about: 'investor' },
  'investor.unfrozen': { says: 'unfroze {name}’s account', about: 'investor' },
  'investor.unlock_first': {
    says: 'gave the first of two approvals to unlock {name}’s account',
    about: 'investor',
  },
  'investor.viewed': { says: 'viewed {name}’s page', about: 'investor' },
  'investor.noted': { says: 'wrote a note about {name}', about: 'investor' },
  'investor.noted_confidentially': { says: 'wrote a confidential note about {name}', about: 'investor' },
  'investor.silently_frozen': { says: 'began a silent freeze of {name}’s account', about: 'investor' },
  'investor.silent_freeze_renewed': {
    says: 'renewed the silent freeze of {name}’s account',
    about: 'investor',
  },
  'investor.silent_freeze_ended': { says: 'ended the silent freeze of {name}’s account', about: 'investor' },
  'investor.entries_exported': { says: 'exported {name}’s ledger entries', about: 'investor' },
  'investor.notified': { says: 'sent {name} a notification', about: 'investor' },
  'investor.sessions_ended': { says: 'ended all sessions of {name}', about: 'investor' },
  'kyc.submitted': { says: 'submitted {a}', about: 'kyc' },
  'kyc.approved': { says: 'approved {the}', about: 'kyc' },
  'kyc.rejected': { says: 'rejected {the}', about: 'kyc' },
  'kyc.reopened': { says: 'changed the full name, which sends back to review {the}', about: 'kyc' },
  'kyc.assigned': { says: 'took {the}', about: 'kyc' },
  'kyc.unassigned': { says: 'gave back {the}', about: 'kyc' },
  'kyc.document_viewed': { says: 'opened {the}', about: 'kyc' },
  'kyc.document_resealed': { says: 'encrypted {the} to the current keys', about: 'kyc' },
  'kyc.document_shredded': { says: 'deleted {the}', about: 'kyc', job: ERASURE },
  'kyc.exported': { says: 'exported identity checks' },
  'message.answered': { says: 'replied to {the}', about: 'message' },
  'message.closed': { says: 'closed {the}', about: 'message' },
  'message.continued': { says: 'wrote again about {the}', about: 'message' },
  'message.reopened': { says: 'reopened {the}', about: 'message' },
  'messages.exported': { says: 'exported messages' },
  'operator.invited': { says: 'sent {the}', about: 'invitation' },
  'operator.invitation_withdrawn': { says: 'withdrew {the}', about: 'invitation' },
  'operator.joined': { says: 'accepted an invitation and became an operator' },
  'operator.roles_changed': { says: 'changed {name}’s roles to {label}', about: 'operator' },
  'operator.disabled': { says: 'disabled {name}’s access', about: 'operator' },
  'operator.enabled': { says: 'restored {name}’s access', about: 'operator' },
  'operator.factor_reset': { says: 'removed {name}’s second factor', about: 'operator' },
  'operator.sessions_ended': { says: 'ended all sessions of {name}', about: 'operator' },
  'blocks.retried': { says: 'had the blocks searched again that could not be searched' },
  'outbox.retried': { says: 'retried the mails that were waiting' },
  'order.cancelled': { says: 'cancelled {the}', about: 'order', job: STRATEGIES },
  'passkey.added': { says: 'added a passkey' },
  'passkey.renamed': { says: 'renamed a passkey' },
  'passkey.removed': { says: 'removed a passkey' },
  'passkey.counter_fell': { says: 'used a passkey whose counter fell, so it may have been copied' },
  'password.changed': { says: 'changed their password' },
  'password.reset': { says: 'chose a new password with a mailed link' },
  'payment.closed': { says: 'closed a payment of {name} that was not credited', about: 'investor' },
  'payment.undone': {
    says: 'found that the payment of {the} is no longer on its chain',
    about: 'deposit',
    job: PAYMENTS,
  },
  'payment.returned': {
    says: 'found that the payment of {the} is back on its chain',
    about: 'deposit',
    job: PAYMENTS,
  },
  'preferences.changed': { says: 'changed their preferences' },
  'profile.changed': { says: 'changed their profile' },
  'payout.built': { says: 'built {a}', about: 'payout' },
  'payout.cancelled': { says: 'cancelled {the}', about: 'payout' },
  'payout.confirmed': { says: 'found that the chain confirmed {the}', about: 'payout', job: PAYOUTS },
  'payout.failed': { says: 'found that {the} failed on its chain', about: 'payout', job: PAYOUTS },
  'payout.release_mismatched': {
    says: 'submitted a signed transaction that differs from {the}',
    about: 'payout',
  },
  'payout.released': { says: 'released {the}', about: 'payout' },
  'payout.replaced': { says: 'built a replacement of {the} with a higher fee', about: 'payout' },
  'payout.displaced': {
    says: 'found that another transaction replaced {the}',
    about: 'payout',
    job: PAYOUTS,
  },
  'payout.signed': { says: 'added a signature to {the}', about: 'payout' },
  'proposal.created': { says: 'proposed {the}', about: 'proposal', job: PAYMENTS },
  'proposal.approved': { says: 'approved {the}', about: 'proposal' },
  'proposal.rejected': { says: 'rejected {the}', about: 'proposal' },
  'proposals.exported': { says: 'exported proposals' },
  'redemption.requested': { says: 'placed {a}', about: 'order', label: 'Placed an order to redeem' },
  'redemption.not_withdrawn': {
    says: 'could not withdraw the proceeds of {the}: they stay available',
    about: 'order',
    job: PROCEEDS,
  },
  'referral.lapsed': {
    says: 'ended a referral of {name} without a bonus',
    about: 'investor',
    job: REFERRALS,
  },
  'reviewer_key.proposed': { says: 'proposed {a}', about: 'reviewer_key' },
  'reviewer_key.approved': { says: 'approved {the}', about: 'reviewer_key' },
  'reviewer_key.retired': { says: 'retired {the}', about: 'reviewer_key' },
  'session.opened': { says: 'signed in' },
  'session.opened_by_link': { says: 'signed in with a mailed link' },
  'session.ended': { says: 'signed out' },
  'session.revoked': { says: 'ended one of their sessions' },
  'settings.changed': { says: 'changed {the}', about: 'setting' },
  'strategy.resumed': { says: 'resumed {the}', about: 'strategy' },
  'strategy.started': { says: 'started {the}', about: 'strategy', job: STRATEGIES },
  'strategy.stopped': { says: 'stopped {the} for good', about: 'strategy' },
  'strategy.suspended': { says: 'suspended {the}', about: 'strategy', job: STRATEGIES },
  'trading.stopped': { says: 'stopped trading at exchanges' },
  'trading.resumed': { says: 'resumed trading at exchanges' },
  'two_factor.enabled': { says: 'turned on codes from an authenticator app' },
  'two_factor.disabled': { says: 'turned off codes from an authenticator app' },
  'two_factor.recovery_codes_renewed': { says: 'made new recovery codes' },
  'two_factor.code_mailed': { says: 'asked for a mailed code for a new second factor' },
  'venue.trading_started': { says: 'let {the} trade with money', about: 'strategy' },
  'venue.transferred': { says: 'recorded a transfer to or from an exchange' },
  'venue.debt_paid': { says: 'paid the debt of {the} with the company’s money', about: 'strategy' },
  'wallet.added': { says: 'added {the}', about: 'wallet' },
  'wallet.challenged': { says: 'asked for proof of control of {the}', about: 'wallet' },
  'wallet.proved': { says: 'added a proof of control to {the}', about: 'wallet' },
  'wallet.retired': { says: 'retired {the}', about: 'wallet' },
  'watch_wallet.added': { says: 'added {the}', about: 'watch_wallet' },
  'watch_wallet.challenged': { says: 'asked for proof of control of a watch-only wallet' },
  'watch_wallet.retired': { says: 'retired {the}', about: 'watch_wallet' },
  'withdrawal.requested': { says: 'requested {a}', about: 'withdrawal', job: PROCEEDS },
  'withdrawal.cancelled': { says: 'cancelled {the}', about: 'withdrawal' },
  'withdrawal.code_mailed': { says: 'asked for a mailed code for a withdrawal' },
  'withdrawal.approved': { says: 'approved {the}', about: 'withdrawal' },
  'withdrawal.rejected': { says: 'rejected {the}', about: 'withdrawal' },
  'withdrawal.assigned': { says: 'took {the}', about: 'withdrawal' },
  'withdrawal.unassigned': { says: 'gave back {the}', about: 'withdrawal' },
  'withdrawal.completed': { says: 'paid {the}', about: 'withdrawal', job: PAYOUTS },
  'withdrawal.reversed': { says: 'reversed the payment of {the}', about: 'withdrawal' },
  'withdrawals.exported': { says: 'exported withdrawals' },
} as const satisfies Record<string, ActionWords>

export type AuditAction = keyof typeof AUDIT_ACTIONS

/** Only operators with the role for confidential notes, and auditors, see these lines. The person never gets them. */
export const CONFIDENTIAL_ACTIONS = [
  'investor.noted_confidentially',
  'investor.silently_frozen',
  'investor.silent_freeze_renewed',
  'investor.silent_freeze_ended',
] as const satisfies readonly AuditAction[]

/** The words of an action; undefined for an unknown action, which only a write past the Worker can add. */
export function findActionWords(action: string): ActionWords | undefined {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : undefined
}

/** The facts of a line that its words need, with names as they are today. */
export interface AuditFacts {
  readonly actor: string
  readonly actorName: string | null
  readonly actorRole: 'investor' | 'operator' | null
  readonly action: string
  readonly subject: string
  readonly about: {
    readonly kind: AuditSubject
    readonly form: AuditForm | null
    readonly amount: number | null
    readonly label: string | null
    readonly person: string | null
    readonly role: 'investor' | 'operator' | null
    readonly name: string | null
  } | null
}

/** A piece of a sentence, and its link's target. */
export interface AuditPart {
  readonly text: string
  readonly to?: { readonly kind: AuditSubject; readonly id: string }
}

/** "Mira Holt credited Ana Torres’s deposit of $500.00", in parts. */
export function auditParts(facts: AuditFacts): AuditPart[] {
  const words = findActionWords(facts.action)
  if (words === undefined) return [describeActor(facts, 'The system'), toPart(` did “${facts.action}”`)]
  return [describeActor(facts, words.job), toPart(' '), ...render(words.says, facts, words.about)]
}

/** The same as one text. */
export function auditSentence(facts: AuditFacts): string {
  return auditParts(facts)
    .map((part) => part.text)
    .join('')
}

/** An action without a certain actor or thing, for a list to choose from: "Credited a deposit". */
export function describeAction(action: AuditAction): string {
  const { says, about, label }: ActionWords = AUDIT_ACTIONS[action]
  if (label !== undefined) return label
  const noun = about === undefined ? '' : `${getArticle(NOUNS[about])} ${NOUNS[about]}`
  const words = says.replace(/ (?:of|to) \{(?:amount|label)\}/, '').replace(/\{(?:the|a|name)\}/, noun)
  return toCapitalised(toPart(words)).text
}

const OTHER_ACTORS: Readonly<Record<string, string>> = {
  owner: 'The database owner',
  visitor: 'A visitor',
}

/** Visitors with a mailed link act on the account that the line is about, so the account's name stands for them. */
function describeActor({ actor, actorName, actorRole, about }: AuditFacts, job = 'The system'): AuditPart {
  if (actor === 'system') return toPart(job)
  if (actorRole !== null) return toCapitalised(describePerson(actor, actorRole, actorName))
  if (actor === 'visitor' && about?.role && about.person !== null)
    return toCapitalised(describePerson(about.person, about.role, about.name))
  return toPart(OTHER_ACTORS[actor] ?? 'A deleted account')
}

// A null name means that the person was erased.
function describePerson(id: string, role: 'investor' | 'operator', name: string | null): AuditPart {
  return { text: name ?? `a former ${role}`, to: { kind: role, id } }
}

function toCapitalised({ text: words, ...part }: AuditPart): AuditPart {
  return { text: words.slice(0, 1).toUpperCase() + words.slice(1), ...part }
}

type Link = AuditPart['to']

/** Fills in a template. */
function render(template: string, facts: AuditFacts, kind: AuditSubject | undefined): AuditPart[] {
  let link: Link
  return template
    .split(/(\[|\]|\{\w+\})/)
    .filter((token) => token !== '')
    .flatMap((token): AuditPart[] => {
      switch (token) {
        case '[':
          link = facts.about ? { kind: facts.about.kind, id: facts.subject } : undefined
          return []
        case ']':
          link = undefined
          return []
        case '{the}':
          return describeSubject(facts, kind, 'the')
        case '{a}':
          return describeSubject(facts, kind, 'a')
        case '{name}':
          return [describeName(facts, kind)]
        case '{amount}':
          return [toLinkedPart(describeAmount(facts), link)]
        case '{label}':
          return [toLinkedPart(facts.about?.label ?? '…', link)]
        default:
          return [toLinkedPart(token, link)]
      }
    })
    .reduce<AuditPart[]>(addPart, [])
}

function describeAmount({ about }: AuditFacts): string {
  if (about === null || about.amount === null) return about?.form === 'redeem' ? 'everything' : '…'
  return formatUsd(about.amount)
}

function describeName({ about }: AuditFacts, kind: AuditSubject = 'investor'): AuditPart {
  if (about === null) return toPart(`a deleted ${NOUNS[kind]}`)
  if (about.person !== null && about.role !== null)
    return describePerson(about.person, about.role, about.name)
  return toPart(about.name ?? 'a person whose name was deleted')
}

/** The thing that a line is about, with its owner or an article. */
function describeSubject(
  facts: AuditFacts,
  kind: AuditSubject = 'proposal',
  determiner: 'the' | 'a',
): AuditPart[] {
  const { about, actor } = facts
  if (about === null) return [toPart(`a deleted ${NOUNS[kind]}`)]
  const isOwn = about.person === actor
  if (about.kind === 'proposal') {
    const form = about.form === null ? '[a proposal]' : FORMS[about.form]
    return render(isOwn ? form.replace('{name}’s', 'their') : form, facts, kind)
  }
  const noun = getNoun(about)
  if (isOwn && determiner === 'the') return render(`their ${noun}`, facts, kind)
  const hasOwner = about.person !== null && !isOwn
  if (determiner === 'a')
    return render(`${getArticle(noun)} ${noun}${hasOwner ? ' for {name}' : ''}`, facts, kind)
  return render(hasOwner ? `{name}’s ${noun}` : `the ${noun}`, facts, kind)
}

function getNoun({ kind, form, amount }: NonNullable<AuditFacts['about']>): string {
  if (kind === 'order' && form !== null) return FORMS[form]
  if (kind === 'invitation') return '[invitation] for {name}'
  if (kind === 'message') return '[message] from {label}'
  if (kind === 'wallet') return '[receiving wallet for {label}]'
  if (kind === 'watch_wallet') return '[watch-only wallet for {label}]'
  if (kind === 'strategy') return 'strategy [{label}]'
  if (kind === 'setting') return 'setting [“{label}”]'
  return amount === null ? `[${NOUNS[kind]}]` : `[${NOUNS[kind]} of {amount}]`
}

function getArticle(noun: string): 'a' | 'an' {
  return /^\[?[aeio]/.test(noun) ? 'an' : 'a'
}

function toPart(words: string): AuditPart {
  return { text: words }
}

function toLinkedPart(words: string, link: Link): AuditPart {
  return link === undefined ? toPart(words) : { text: words, to: link }
}

/** Adds a part to a list, joined with the last one if both link to the same. */
function addPart(parts: AuditPart[], part: AuditPart): AuditPart[] {
  const last = parts.at(-1)
  if (last === undefined || last.to?.id !== part.to?.id || last.to?.kind !== part.to?.kind)
    return [...parts, part]
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
}
