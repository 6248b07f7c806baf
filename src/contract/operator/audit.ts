import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const auditEntry = z.object({
  _id: z.string(),
  at: isoTime,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
})

export type AuditEntry = z.output<typeof auditEntry>

/** An id as the log has it, `system` among them. */
function auditedId(name: string) {
  return z.string().check(z.regex(/^[\w:.@-]{1,100}$/, `${name} is an id of the log`))
}

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/operator/audit-log',
  scope: 'operator:audit.read',
  summary:
    'Who did what to whom, when; newest first. `actor` and `subject` are ids; `format=csv` is all of it as a file',
  status: 200,
  query: z.extend(pageQuery, {
    actor: z.optional(auditedId('actor')),
    subject: z.optional(auditedId('subject')),
    format: z.optional(z.enum(['json', 'csv'], { error: 'format is json or csv' })),
  }),
  answer: z.array(auditEntry),
})

export const verifyAuditLog = endpoint({
  method: 'GET',
  path: '/operator/audit-log/verify',
  scope: 'operator:audit.read',
  summary: 'Recompute the hash chain of the audit log',
  status: 200,
  answer: z.object({
    ok: z.boolean(),
    sealed: z.number(),
    unsealed: z.number(),
    brokenAt: z.optional(z.string()),
  }),
})
