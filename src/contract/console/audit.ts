import * as z from 'zod/mini'
import { formatQuery, isoTime, pageQuery, timeFilter } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** What a line can be about, where the platform still knows it. */
const SUBJECTS = [
  'investor',
  'operator',
  'deposit',
  'withdrawal',
  'kyc',
  'proposal',
  'invitation',
  'reviewer_key',
  'wallet',
  'message',
] as const

export const auditEntry = z.object({
  _id: z.string(),
  /** The number under which it is sealed, counted through the whole log. */
  line: z.number(),
  at: isoTime,
  actor: z.string(),
  /** As they are called now; null for what is no account, like `system`. */
  actorName: z.nullable(z.string()),
  action: z.string(),
  subject: z.string(),
  /** What the subject is; null for what is no such thing, like a setting. */
  about: z.nullable(
    z.object({
      kind: z.enum(SUBJECTS),
      /** Its reference, where people know it by one. */
      ref: z.nullable(z.string()),
      /** Whom it is about, as they are called now: the id and the name of an account, or only the name of somebody invited. */
      person: z.nullable(z.string()),
      name: z.nullable(z.string()),
    }),
  ),
})

export type AuditEntry = z.output<typeof auditEntry>

/** An id as the log has it, `system` among them. */
function auditedId(name: string) {
  return z.string().check(z.regex(/^[\w:.@-]{1,100}$/, `${name} is an id of the log`))
}

export const listAuditLog = endpoint('GET', '/operator/audit-log', 'operator:audit.read', {
  summary:
    'Who did what to whom, when; newest first. `actor` is an id, `subject` an id or a reference, `action` one like deposit.credited, `from` and `to` are days or times, `line` is one number; `format=csv` is all of it as a file, of which a line is kept',
  query: z.extend(pageQuery, {
    actor: z.optional(auditedId('actor')),
    subject: z.optional(auditedId('subject')),
    action: z.optional(
      z.string().check(z.regex(/^[a-z_]{1,50}\.[a-z_]{1,50}$/, 'action is one like deposit.credited')),
    ),
    from: timeFilter('from'),
    to: timeFilter('to'),
    line: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'line is a number of the log'))),
    format: formatQuery,
  }),
  answer: z.array(auditEntry),
  audit: ['audit_log.exported'],
})

/**
 * A line that is not as it was written. `moved`: it stands under another number. `seal`: the block that begins with this line was
 * itself changed, or one before it is gone. `block`: some line of the older block that begins here; those name none.
 */
const broken = z.object({
  seq: z.number(),
  why: z.enum(['changed', 'deleted', 'inserted', 'moved', 'seal', 'block']),
})

export type Broken = z.output<typeof broken>

const auditVerdict = z.object({
  ok: z.boolean(),
  /** The number of the newest line that was compared: `after` of the next call, unless it is `complete`. */
  checkedTo: z.number(),
  complete: z.boolean(),
  /** Lines that the blocks of this answer seal. */
  sealed: z.number(),
  /** Lines that no block covers yet. */
  unsealed: z.number(),
  broken: z.array(broken),
  /** Where `seq` and `hash` were given: whether that head is a seal of the chain, and as it was. */
  head: z.optional(z.boolean()),
})

export type AuditVerdict = z.output<typeof auditVerdict>

const AFTER_PROBLEM = 'after is the checkedTo of an answer'

const HEAD_PROBLEM = 'seq and hash are the line and the hash of a mailed head'

export const verifyAuditLog = endpoint('GET', '/operator/audit-log/verify', 'operator:audit.read', {
  summary:
    'Compare the audit log with its seals, some 10,000 lines a call: each line that was changed, deleted, inserted or moved is named. `seq` and `hash` of a mailed head say whether it is still part of the chain',
  query: z.object({
    after: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,15}$/, AFTER_PROBLEM))),
      z.transform((value) => Number(value ?? 0)),
    ),
    seq: z.optional(z.string().check(z.regex(/^\d{1,15}$/, HEAD_PROBLEM))),
    hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, HEAD_PROBLEM))),
  }),
  answer: auditVerdict,
})
