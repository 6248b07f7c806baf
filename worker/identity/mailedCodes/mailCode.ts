import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { limitsApply } from '../../lib/env.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { type Bound, newCode } from './codes.ts'
import { type Counter, countMail, isMailRefused, refuseMail } from './limits.ts'

interface CodeMail {
  /** What the code confirms, and nothing else. */
  readonly bound: Bound
  readonly mailOf: (code: string) => Mail
  readonly audit: AuditEntry
  /** For the same batch. */
  readonly statements?: readonly Statement[]
  /** As it stood a moment ago, for how long to wait. */
  readonly mails?: Counter | undefined
}

/** Mails a new code of six digits; earlier ones for the same are dead. Refuses more mails than an account may have in an hour. */
export async function mailCode(
  call: ActorCall,
  { bound, mailOf, audit, statements = [], mails }: CodeMail,
): Promise<void> {
  const { db, actor, nowMs, env } = call
  const { code, statements: stored } = await newCode(env, db, bound, nowMs)
  try {
    await call.commit({
      statements: [...(limitsApply(env) ? [countMail(db, actor.id, nowMs)] : []), ...stored, ...statements],
      audit: [audit],
      mails: [mailOf(code)],
    })
  } catch (error) {
    if (isMailRefused(error)) refuseMail(mails, nowMs)
    throw error
  }
}
