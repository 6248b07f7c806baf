import { and, eq, gt, isNull } from 'drizzle-orm'
import {
  type createKey as endpoint,
  type Key,
  MAX_KEY_DAYS,
  MAX_KEYS,
} from '../../../src/contract/identity/keys.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { newKey } from '../../http/accessKeys.ts'
import { type Answer, type CallOf, created } from '../../http/call.ts'
import { newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { quotePerson } from '../../lib/mail/compose.ts'
import { insertNotifications } from '../../lib/notifications/receive.ts'
import { readKeys } from '../../lib/tables/people.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { toKey } from './own.ts'

const NOUNS = { program: 'key for a program', guest: 'guest link' } as const

/**
 * Creates a key or a guest link and answers it, this once, with the password and the second factor, if there is one. A stolen session
 * alone cannot keep reading the account with a key. The owner gets a mail and a notification.
 */
export async function createKey(call: CallOf<typeof endpoint>): Promise<Answer<Key>> {
  const { actor, db, env, nowMs, body } = call
  const { kind, name, networks, until, ...proof } = body
  const expiresAt = parseLastDay(until, nowMs)
  const { investor, revokedAt } = readKeys
  const working = await db.$count(
    readKeys,
    and(eq(investor, actor.id), isNull(revokedAt), gt(readKeys.expiresAt, nowMs)),
  )
  if (working >= MAX_KEYS)
    refuse('conflict', { msg: `${MAX_KEYS} keys and guest links work. Please revoke one first.` })
  const key = newKey(kind)
  const facts = { kind, name, networks: JSON.stringify(networks), expiresAt, createdAt: nowMs }
  const row = { id: newId(), ...facts, lastUsedAt: null, revokedAt: null }
  const words = `The ${NOUNS[kind]} ${quotePerson(name)} was created at ${site.brand}. It reads your balances, history, positions, statements and gains. It cannot change anything.`
  await commitWithProof(
    call,
    proof,
    {
      statements: [
        db.insert(readKeys).values({ ...row, investor: actor.id, tokenHash: await sha256Hex(key) }),
        insertNotifications(
          [actor.id],
          {
            title: `A ${NOUNS[kind]} was created`,
            content: `${words} You can revoke it on your profile, under Security.`,
          },
          nowMs,
        ),
      ],
      audit: [{ action: 'key.created', subject: row.id, detail: { kind } }],
      mails: [
        await buildSecurityMail(
          env,
          actor,
          nowMs,
          `A ${NOUNS[kind]} was created for your account`,
          [words, 'You can revoke it at any time on your profile, under Security.'],
          'If it was not you, revoke it, choose a new password at once and write to us.',
        ),
      ],
    },
    { withoutFactor: 'password' },
  )
  return created({ ...toKey(row), key })
}

/** The end of a UTC day from today to a year ahead. */
function parseLastDay(day: string, nowMs: number): number {
  const startMs = Date.parse(day)
  const todayMs = nowMs - (nowMs % DAY_MS)
  // Date.parse reads February 30 as March 2.
  const isDay = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day)
  if (!isDay || startMs < todayMs || startMs > todayMs + MAX_KEY_DAYS * DAY_MS)
    refuseField('until', 'Please choose a day from today to a year from today')
  return startMs + DAY_MS
}
