import * as z from 'zod/mini'
import { formatQuery, isoTime, pageQuery, period, periodInOrder } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const role = z.enum(['investor', 'operator'])

/** The subjects of audit lines. */
export const AUDIT_SUBJECTS = [
  'investor',
  'operator',
  'deposit',
  'withdrawal',
  'payout',
  'order',
  'kyc',
  'proposal',
  'invitation',
  'reviewer_key',
  'wallet',
  'watch_wallet',
  'factor_recovery',
  'sanctions',
  'payment',
  'strategy',
  'setting',
  'message',
] as const
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number]

export const auditEntry = z.object({
  _id: z.string(),
  /** The line's number in the whole log, under which it is sealed. */
  line: z.number(),
  at: isoTime,
  actor: z.string(),
  /** The current name, or words for an actor without one: “The system”, “A former investor”. */
  actorName: z.string(),
  /** Null for an actor without an account. */
  actorRole: z.nullable(role),
  action: z.string(),
  /** The action in words: “Credited a deposit”. */
  label: z.string(),
  subject: z.string(),
  /** Why it was done, as the operator wrote it, until the person is erased. */
  reason: z.nullable(z.string()),
  /** The details in words, with the people and cases that their ids stand for. */
  facts: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      subject: z.nullable(z.object({ kind: z.enum(AUDIT_SUBJECTS), _id: z.string() })),
    }),
  ),
  /** The details, as they were recorded. */
  detail: z.record(z.string(), z.unknown()),
  /** The subject; null if it is no such thing, or was deleted. */
  about: z.nullable(
    z.object({
      kind: z.enum(AUDIT_SUBJECTS),
      /** “Deposit DEP-7F3K ($500.00)”, or a person’s name. */
      label: z.string(),
      /** The person whose subject it is, or who it is. */
      person: z.nullable(z.object({ _id: z.string(), role, name: z.string() })),
    }),
  ),
})

export type AuditEntry = z.output<typeof auditEntry>

/** An id in the log, including `system`. */
function auditedId(name: string) {
  return z.string().check(z.regex(/^[\w:.@+-]{1,100}$/, `${name} is an id of the log`))
}

export const listAuditLog = endpoint('GET', '/operator/audit-log', 'operator:audit.read', {
  summary:
    'The audit log, newest first. `person` is an account’s id or e-mail address: lines by it and about it. `actor` is an id. `subject` is an id, a reference or an account’s e-mail address. `action` is one such as deposit.credited. `from` and `to` are days or times. `line` is one number. `format=csv` returns all matching lines as a file. This is recorded',
  query: z
    .extend(pageQuery, {
      actor: z.optional(auditedId('actor')),
      subject: z.optional(auditedId('subject')),
      person: z.optional(auditedId('person')),
      action: z.optional(
        z.string().check(z.regex(/^[a-z_]{1,50}\.[a-z_]{1,50}$/, 'action is one like deposit.credited')),
      ),
      ...period,
      line: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'line is a number of the log'))),
      format: formatQuery,
    })
    .check(periodInOrder),
  answer: z.array(auditEntry),
  audit: ['audit_log.exported'],
  findsPeopleBy: 'subject',
})

/**
 * A line that differs from its seal. `moved`: it has another number. `seal`: the block that begins with this line was
 * changed, or an earlier block is missing.
 */
const broken = z.object({
  seq: z.number(),
  why: z.enum(['changed', 'deleted', 'inserted', 'moved', 'seal']),
})

export type BrokenLine = z.output<typeof broken>

const auditVerdict = z.object({
  ok: z.boolean(),
  /** The newest line compared: pass it as `after` in the next call unless `complete`. */
  checkedTo: z.number(),
  complete: z.boolean(),
  /** Lines sealed by the blocks of this answer. */
  sealed: z.number(),
  /** Lines not sealed yet. */
  unsealed: z.number(),
  broken: z.array(broken),
  /** With `seq` and `hash`: whether that head is a valid seal of the chain. */
  head: z.optional(z.boolean()),
})

export type AuditVerdict = z.output<typeof auditVerdict>

const AFTER_PROBLEM = 'after is the checkedTo of an answer'

const HEAD_PROBLEM = 'seq and hash are the line and the hash of a mailed head'

export const verifyAuditLog = endpoint('GET', '/operator/audit-log/verify', 'operator:audit.read', {
  summary:
    'Compare the audit log with its seals, about 10,000 lines a call. Returns each line that was changed, deleted, inserted or moved. With `seq` and `hash` of a mailed head, it also returns whether the head is still part of the chain',
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
