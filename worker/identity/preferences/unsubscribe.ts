import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { NewsTopic, unsubscribeFromMails } from '../../../src/contract/identity/preferences.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { verifyMailsOffToken } from './optionalMail.ts'

const WORDS: Readonly<Record<NewsTopic, string>> = {
  salesNews: 'mails about sales and news',
  features: 'mails about new features',
  tips: 'mails with tips',
}

const COLUMN: Readonly<Record<NewsTopic, string>> = {
  salesNews: 'sales_news',
  features: 'features',
  tips: 'tips',
}

/**
 * Turns one kind of news off, without a session: the token proves the mailbox. Idempotent: a repeated call returns the same
 * answer. Refuses `invalid_token` if the signature is wrong, and for
 * warnings.
 */
export async function unsubscribe(call: PublicCallOf<typeof unsubscribeFromMails>): Promise<Answer<Message>> {
  const { env, nowMs, body } = call
  const off = await verifyMailsOffToken(env, body.token)
  if (off === null) return refuse('invalid_token')
  const column = sql.raw(COLUMN[off.kind])
  await call.commit({
    statements: [
      // SELECT, so that an erased account is no failure to a mail provider.
      sql`
        INSERT INTO preferences (user_id, ${column}, changed_at) SELECT id, 0, ${nowMs} FROM users WHERE id = ${off.userId}
        ON CONFLICT (user_id) DO UPDATE SET ${column} = 0, changed_at = excluded.changed_at WHERE ${column} = 1`,
    ],
  })
  return ok({ msg: `You no longer get ${WORDS[off.kind]}. You can turn them on again in your profile.` })
}
