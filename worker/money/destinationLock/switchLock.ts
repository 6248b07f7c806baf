import { eq } from 'drizzle-orm'
import { mailDateText } from '../../../src/contract/dates.ts'
import type * as contract from '../../../src/contract/money/destinationLock.ts'
import { type DestinationLock, LOCK_HOURS } from '../../../src/contract/money/destinationLock.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { buildSecurityMail } from '../../identity/credentials/lockToken.ts'
import { commitWithProof } from '../../identity/factors/commitWithProof.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { buildLink, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { destinationLocks } from '../../lib/tables/requests.ts'
import { LOCK_MS, readLock, toLock } from './lock.ts'

/** Switches the lock on at once. If its owner asked to switch it off, it stays on instead. Needs no proof: it only protects. */
export async function switchLockOn(
  call: CallOf<typeof contract.switchLockOn>,
): Promise<Answer<DestinationLock>> {
  const { db, actor, env, nowMs } = call
  const [[stored], [lock]] = await readTogether(
    db,
    selectRows({ investor: destinationLocks.investor })
      .from(destinationLocks)
      .where(eq(destinationLocks.investor, actor.id)),
    readLock(actor.id, nowMs),
  )
  if (lock?.offAskedAt === null) return ok(toLock(lock))
  const row = { onSince: lock?.onSince ?? nowMs, offAskedAt: null, offSession: null }
  await call.commit({
    statements: [
      stored === undefined
        ? db.insert(destinationLocks).values({ investor: actor.id, ...row })
        : db.update(destinationLocks).set(row).where(eq(destinationLocks.investor, actor.id)),
    ],
    audit: [{ action: 'destination_lock.on', subject: actor.id }],
    mails: [
      await buildLockMail(env, actor, nowMs, 'Your withdrawals go only to saved destinations', [
        `Since now, your account at ${site.brand} pays only addresses in your address book, and bank accounts that you confirmed before. A new address can be used ${LOCK_HOURS} hours after it was saved.`,
        `Switching this off takes ${LOCK_HOURS} hours. We cannot shorten them.`,
      ]),
    ],
  })
  return ok(toLock(row))
}

/** Asks to switch the lock off in 48 hours. The mail and the bell leave the owner that long to stop an intruder. */
export async function switchLockOff(
  call: CallOf<typeof contract.switchLockOff>,
): Promise<Answer<DestinationLock>> {
  const { db, actor, env, nowMs, body } = call
  const [[lock]] = await readTogether(db, readLock(actor.id, nowMs))
  if (lock === undefined) return refuse('conflict', { msg: 'This is off already.' })
  if (lock.offAskedAt !== null) return refuse('conflict', { msg: 'You asked to switch this off already.' })
  const mail = await buildLockMail(env, actor, nowMs, '“Only saved destinations” will be switched off', [
    `You asked to switch off “only saved destinations” for your account at ${site.brand}. From ${mailDateText(nowMs + LOCK_MS)}, withdrawals can go to new destinations again.`,
    'Until then you can keep it on under Security Information in your profile.',
  ])
  await commitWithProof(
    call,
    body,
    {
      statements: [
        db
          .update(destinationLocks)
          .set({ offAskedAt: nowMs, offSession: actor.session.id })
          .where(eq(destinationLocks.investor, actor.id)),
      ],
      audit: [{ action: 'destination_lock.off_asked', subject: actor.id }],
      mails: [mail],
    },
    { withoutFactor: 'password' },
  )
  return ok(toLock({ ...lock, offAskedAt: nowMs }))
}

function buildLockMail(
  env: Env,
  owner: ActorCall['actor'],
  nowMs: number,
  subject: string,
  parts: readonly string[],
): Promise<Mail> {
  const profile: Part = {
    label: 'Your security settings',
    href: buildLink(env, '/dashboard/profile#security'),
  }
  return buildSecurityMail(env, owner, nowMs, subject, [...parts, profile])
}
