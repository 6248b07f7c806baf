import type { AuditEntry } from '../../../contract/console/audit.ts'
import { ACTS } from './acts.ts'

/** Acts that are no account's, by the word that the log has for who did them. */
const NOBODY: Readonly<Record<string, string>> = {
  system: 'The platform',
  owner: 'Whoever has the database',
  visitor: 'A visitor',
}

/** A line as a sentence in three parts, the middle one of which is what it was done to. */
export interface Sentence {
  before: string
  subject: string
  /** Where the subject is seen; null where there is no such page. */
  href: string | null
  after: string
}

/** "Sample Operator credited deposit DEP-7F3K of Sample Investor". */
export function sentenceOf(entry: AuditEntry): Sentence {
  const words = ACTS[entry.action] ?? `did ${entry.action} to *`
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
  return actorName ?? NOBODY[actor] ?? actor
}

function subjectOf({ subject, actor, about }: AuditEntry): string {
  if (about === null) return subject
  const { kind, ref, person, name } = about
  // Of what is their own it needn't be said whose it is.
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
      return 'a message'
  }
}

function hrefOf({ subject, about }: AuditEntry): string | null {
  const queue = (name: string) => `/operator/${name}?status=&open=${subject}`
  switch (about?.kind) {
    case 'investor':
      return `/operator/investors?open=${subject}`
    case 'deposit':
      return queue('deposits')
    case 'withdrawal':
      return queue('withdrawals')
    case 'kyc':
      return queue('kyc')
    case 'proposal':
      return queue('proposals')
    case 'message':
      return queue('messages')
    default:
      return null
  }
}
