import type { AuditEntry } from '../../../contract/console/audit.ts'

/** Names of actors without an account. */
const OTHER_ACTORS: Readonly<Record<string, string>> = {
  system: 'The platform',
  owner: 'Whoever has the database',
  visitor: 'A visitor',
}

/** "Sample Operator credited deposit DEP-7F3K of Sample Investor", in parts. `href` is the subject's page, or null. */
export function sentenceOf(entry: AuditEntry) {
  const words = ACTION_WORDS[entry.action] ?? `did ${entry.action} to *`
  const [verb = '', after = ''] = words.split('*')
  const hasSubject = words.includes('*')
  return {
    before: `${actorOf(entry)} ${verb}`,
    subject: hasSubject ? subjectOf(entry) : '',
    href: hasSubject ? hrefOf(entry) : null,
    after,
  }
}

function actorOf({ actor, actorName }: Pick<AuditEntry, 'actor' | 'actorName'>): string {
  return actorName ?? OTHER_ACTORS[actor] ?? actor
}

function subjectOf({ subject, actor, about }: AuditEntry): string {
  if (about === null) return subject
  const { kind, ref, person, name } = about
  // Omits the owner if it is the actor.
  const whose = name === null || person === actor ? '' : ` of ${name}`
  switch (kind) {
    case 'investor':
    case 'operator':
      return name ?? subject
    case 'deposit':
    case 'withdrawal':
      return `${kind} ${ref}${whose}`
    case 'kyc':
      return `identity check ${ref}${whose}`
    case 'proposal':
      return name === null ? 'a proposal' : `a proposal about ${name}`
    case 'invitation':
      return name === null ? 'an invitation' : `the invitation of ${name}`
    case 'reviewer_key':
      return person === actor ? 'a document key of their own' : `the document key${whose}`
    case 'wallet':
      return 'a receiving wallet'
    case 'message':
      return `message ${ref ?? subject}`
  }
}

const QUEUES: Partial<Record<NonNullable<AuditEntry['about']>['kind'], string>> = {
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  kyc: 'kyc',
  proposal: 'proposals',
  message: 'messages',
}

function hrefOf({ subject, about }: AuditEntry): string | null {
  if (about?.kind === 'investor') return `/operator/investors?open=${subject}`
  const queue = about && QUEUES[about.kind]
  return queue ? `/operator/${queue}?status=&open=${subject}` : null
}

/**
 * Each action of the audit log in words, to follow the actor's name. `*` stands for the subject; actions on the actor's own
 * account have none. A test compares this list with the actions that the Worker logs.
 */
export const ACTION_WORDS: Readonly<Record<string, string>> = {
  'account.opened': 'opened their account',
  'account.closed': 'closed their account',
  'account.erased': 'erased what was kept of *',
  'account.locked': 'locked their account',
  'account.data_downloaded': 'downloaded their data',
  'address.saved': 'saved a destination of withdrawals',
  'address.renamed': 'renamed a destination of withdrawals',
  'address.deleted': 'deleted a destination of withdrawals',
  'allocation.requested': 'asked to invest by *',
  'announcement.approved': 'had a mail sent to everybody who wants it, by *',
  'audit_log.exported': 'saved the audit log as a file',
  'bonus.granted': 'granted * a bonus',
  'deposit.requested': 'announced *',
  'deposit.cancelled': 'cancelled *',
  'deposit.first_approval': 'approved * as the first of two',
  'deposit.approval_withdrawn': 'took back the first approval of *',
  'deposit.credited': 'credited *',
  'deposit.rejected': 'rejected *',
  'deposit.reversed': 'took back the credit of *',
  'deposits.exported': 'saved deposits as a file',
  'email.verified': 'proved their e-mail address',
  'email.change_asked': 'asked for another e-mail address',
  'email.change_cancelled': 'kept their e-mail address after all',
  'email.changed': 'changed their e-mail address',
  'factor_recovery.filed': 'asked for the removal of their lost second factor',
  'factor_recovery.approved': 'approved the removal of the second factor of *',
  'factor_recovery.rejected': 'rejected the removal of the second factor of *',
  'factor_recovery.stopped': 'stopped the removal of their second factor',
  'factor_recovery.completed': 'removed the second factor of *',
  'investor.frozen': 'froze the account of *',
  'investor.unfrozen': 'lifted the freeze of *',
  'investor.unlock_first': 'agreed first to lift the lock of *',
  'investor.viewed': 'looked at the page of *',
  'investor.noted': 'wrote a note about *',
  'investor.entries_exported': 'saved the ledger of * as a file',
  'investor.notified': 'showed * a notification',
  'investor.sessions_ended': 'ended every session of *',
  'kyc.submitted': 'sent *',
  'kyc.approved': 'approved *',
  'kyc.rejected': 'rejected *',
  'kyc.document_viewed': 'opened the document of *',
  'kyc.document_resealed': 'sealed the document of * anew',
  'kyc.document_shredded': 'shredded the document of *',
  'kyc.exported': 'saved identity checks as a file',
  'message.answered': 'replied to *',
  'message.closed': 'closed *',
  'message.continued': 'wrote again in *',
  'message.reopened': 'reopened *',
  'messages.exported': 'saved messages as a file',
  'operator.invited': 'had the link of * mailed',
  'operator.invitation_withdrawn': 'withdrew *',
  'operator.joined': 'accepted an invitation and became an operator',
  'operator.roles_changed': 'changed the roles of *',
  'operator.disabled': 'disabled *',
  'operator.enabled': 'let * in again',
  'operator.factor_reset': 'took off the second factor of *',
  'operator.sessions_ended': 'ended every session of *',
  'outbox.retried': 'had waiting mails tried again',
  'order.cancelled': 'took back *',
  'passkey.added': 'added a passkey',
  'passkey.renamed': 'renamed a passkey',
  'passkey.removed': 'removed a passkey',
  'passkey.counter_fell': 'used a passkey whose counter fell: it may have been copied',
  'password.changed': 'changed their password',
  'password.reset': 'chose a new password by mail',
  'preferences.changed': 'changed which mails they want',
  'profile.changed': 'changed their profile',
  'proposal.created': 'made *',
  'proposal.approved': 'approved *',
  'proposal.rejected': 'rejected *',
  'proposals.exported': 'saved proposals as a file',
  'redemption.requested': 'asked to redeem by *',
  'redemption.not_withdrawn': 'left available what * brought: it could not be withdrawn',
  'referral.lapsed': 'let a referral of * lapse',
  'reviewer_key.proposed': 'proposed *',
  'reviewer_key.approved': 'approved *',
  'reviewer_key.retired': 'retired *',
  'session.opened': 'signed in',
  'session.ended': 'signed out',
  'session.revoked': 'ended a session of theirs',
  'settings.changed': 'changed the setting *',
  'strategy.resumed': 'had the strategy * resumed',
  'strategy.started': 'started the strategy *',
  'strategy.stopped': 'had the strategy * stopped for good',
  'strategy.suspended': 'suspended the strategy *',
  'two_factor.enabled': 'turned on codes from an app',
  'two_factor.disabled': 'turned off codes from an app',
  'two_factor.recovery_codes_renewed': 'made new recovery codes',
  'wallet.added': 'added *',
  'wallet.challenged': 'asked for a proof of who holds *',
  'wallet.proved': 'attached a proof of who holds *',
  'wallet.retired': 'retired *',
  'withdrawal.requested': 'asked for *',
  'withdrawal.cancelled': 'cancelled *',
  'withdrawal.code_mailed': 'had a code mailed for a withdrawal',
  'two_factor.code_mailed': 'had a code mailed for a new second factor',
  'withdrawal.approved': 'approved *',
  'withdrawal.rejected': 'rejected *',
  'withdrawal.completed': 'paid *',
  'withdrawal.reversed': 'took back the payment of *',
  'withdrawals.exported': 'saved withdrawals as a file',
}
