import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { confirmWithdrawal as confirmEndpoint } from '../../../src/contract/money/withdrawals.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { buildLink, type Part } from '../../lib/mail/compose.ts'
import { withdrawalCodes } from '../../lib/tables/requests.ts'

const LABEL = 'confirm-withdrawal'

/** The link that confirms a withdrawal in place of the mailed code with this id. It is signed, not stored, and ends with the code. */
export async function buildConfirmationLink(env: Env, codeId: string): Promise<Part> {
  const token = spell(`${codeId}.${await sign(env.VAULT_KEYS, LABEL, codeId)}`)
  return { label: 'Confirm this withdrawal', href: buildLink(env, '/confirm-withdrawal', { token }) }
}

/**
 * Confirms a withdrawal with the token of the mailed link: the same request then passes once without its code. It files nothing,
 * so whoever only reads the mail cannot withdraw. Refuses `invalid_token` if the token is wrong, or its code was used, replaced or
 * has expired.
 */
export async function confirmWithdrawal(
  call: PublicCallOf<typeof confirmEndpoint>,
): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const id = await verifyToken(env, body.token)
  if (id === null) return refuse('invalid_token')
  const isLive = and(
    eq(withdrawalCodes.id, id),
    isNull(withdrawalCodes.usedAt),
    gt(withdrawalCodes.expiresAt, nowMs),
  )
  const [code] = await db.select().from(withdrawalCodes).where(isLive)
  if (code === undefined) return refuse('invalid_token')
  if (code.confirmedAt === null)
    await call.commit({
      statements: [db.update(withdrawalCodes).set({ confirmedAt: nowMs }).where(isLive)],
      audit: [
        { action: 'withdrawal.link_used', subject: code.investor, detail: { amountCents: code.amount } },
      ],
    })
  return ok({
    msg: `You confirmed a withdrawal of ${formatCents(code.amount)}. Go back to where you asked for it and send it again, unchanged, before ${mailDateText(code.expiresAt)}.`,
  })
}

/** The id of the code that a token stands for; null if the signature is wrong. */
async function verifyToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(\d+\.[\w-]+)$/.exec(unspell(token)) ?? []
  if (id === undefined || signature === undefined) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}

const LETTERS = 'abcdefghjkmnpqrs'

/** Writes ASCII text in letters alone, two for each character: six digits in a row would look like the code. */
function spell(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0)
    return LETTERS.charAt(code >> 4) + LETTERS.charAt(code & 15)
  }).join('')
}

/** The text of such letters. Anything else gives a text without a right signature. */
function unspell(letters: string): string {
  const pairs = letters.match(/../g) ?? []
  return pairs
    .map((pair) =>
      String.fromCharCode(16 * LETTERS.indexOf(pair.charAt(0)) + LETTERS.indexOf(pair.charAt(1))),
    )
    .join('')
}
