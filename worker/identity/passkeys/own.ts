import { and, eq, sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/identity/passkeys.ts'
import type { Passkey } from '../../../src/contract/identity/passkeys.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CallOf, noContent, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { quotePerson } from '../../lib/mail/compose.ts'
import { passkeys } from '../../lib/tables/people.ts'
import { DISTRUST_WORDS, distrust } from '../credentials/distrust.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { type PasskeyRow, readPasskeys, toPasskey } from '../factors/keys.ts'

/** The actor's passkeys, newest first. */
export async function listPasskeys({ actor, db }: ActorCall): Promise<Answer<Passkey[]>> {
  const rows = await readPasskeys(db, actor.id)
  return ok(rows.reverse().map(toPasskey))
}

export async function renamePasskey(
  call: CallOf<typeof contract.renamePasskey>,
  row: PasskeyRow,
): Promise<Answer<Passkey>> {
  const { name } = call.body
  await call.commit({
    statements: [sql`UPDATE passkeys SET name = ${name} WHERE id = ${row.id}`],
    audit: [{ action: 'passkey.renamed', subject: row.id }],
  })
  return ok(toPasskey({ ...row, name }))
}

/**
 * Removes a passkey, with the password and a proof: a code or any passkey, including this one. Removing the last second factor
 * deletes the recovery codes. Refuses an operator's last second factor.
 */
export async function removePasskey(
  call: CallOf<typeof contract.removePasskey>,
  row: PasskeyRow,
): Promise<Answer<undefined>> {
  const { actor, env, nowMs, body } = call
  await commitWithProof(call, body, {
    statements: [
      sql`DELETE FROM passkeys WHERE id = ${row.id}`,
      ...distrust({ userId: actor.id, cause: 'factor_changed', keepSession: actor.session.id, nowMs }),
    ],
    audit: [{ action: 'passkey.removed', subject: row.id }],
    mails: [
      await buildSecurityMail(env, actor, nowMs, 'A passkey was removed from your account', [
        `The passkey ${quotePerson(row.name)} was removed from your account at ${site.brand}. You can no longer sign in with it. For three days, withdrawals need extra proof.`,
        DISTRUST_WORDS,
      ]),
    ],
  })
  return noContent()
}

/** Loads the actor's passkey `:id`. Refuses `not_found`. */
export async function loadOwnPasskey({ actor, db, params }: ActorCall): Promise<PasskeyRow> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, params.id ?? ''), eq(passkeys.userId, actor.id)))
  return row ?? refuse('not_found')
}
