import { eq } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { endTokens, newEmailToken } from '../../identity/credentials/emailTokens.ts'
import { replacePassword } from '../../identity/signIn/replacePassword.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { generateToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { operatorInvitations } from '../../lib/tables/operators.ts'
import { passkeys, secondFactors, users } from '../../lib/tables/people.ts'
import { INVITATION_MS } from '../operators/invitations.ts'
import {
  buildFactorResetMail,
  buildInvitationMail,
  buildOperatorEnabledMail,
  buildRolesChangedMail,
} from '../operators/mails.ts'
import type { ProposalEffect } from './effect.ts'
import type { ProposalOfKind } from './proposal.ts'

/** The changes of an approved proposal about an operator. The database checks each condition again. */
export async function buildOperatorEffect(
  call: ActorCall,
  proposal: ProposalOfKind<'operator'>,
): Promise<ProposalEffect> {
  const { payload, operatorName: name, operatorEmail: email } = proposal
  // Invitations are deleted after thirty days; then it is too late to approve one.
  if (name === null || email === null) return refuse('conflict')
  const to = { name, email }
  const id = proposal.operator ?? ''
  switch (payload.action) {
    case 'invite':
      return buildInvitationEffect(call, { ...to, ...payload, proposal: proposal.id })
    case 'roles': {
      const { roles } = payload
      return {
        statements: [updateUser(call, id, { operatorRoles: roles, accessProposal: proposal.id })],
        audit: [{ action: 'operator.roles_changed', subject: id, detail: { proposal: proposal.id, roles } }],
        mails: [buildRolesChangedMail(to, roles)],
      }
    }
    case 'enable':
      return {
        statements: [
          updateUser(call, id, {
            disabledAt: null,
            disabledBy: null,
            disabledReason: null,
            accessProposal: proposal.id,
          }),
        ],
        audit: [{ action: 'operator.enabled', subject: id, detail: { proposal: proposal.id } }],
        mails: [buildOperatorEnabledMail(call.env, to)],
      }
    case 'reset_factor':
      return buildResetEffect(call, { ...to, id, proposal: proposal.id })
  }
}

function updateUser({ db }: ActorCall, id: string, to: Partial<typeof users.$inferInsert>) {
  return db.update(users).set(to).where(eq(users.id, id))
}

async function buildInvitationEffect(
  { db, env, nowMs }: ActorCall,
  invited: { name: string; email: string; roles: string; invitation: string; proposal: string },
): Promise<ProposalEffect> {
  const { invitation, roles, proposal } = invited
  const token = generateToken(32)
  return {
    statements: [
      db
        .update(operatorInvitations)
        .set({ tokenHash: await sha256Hex(token), expiresAt: nowMs + INVITATION_MS })
        .where(eq(operatorInvitations.id, invitation)),
    ],
    audit: [{ action: 'operator.invited', subject: invitation, detail: { proposal, roles } }],
    mails: [buildInvitationMail(env, invited, roles, token)],
  }
}

/** Removes the factor and the password. Someone who knows the old password must not be able to turn on a new factor. */
async function buildResetEffect(
  { db, env, nowMs }: ActorCall,
  operator: { id: string; name: string; email: string; proposal: string },
): Promise<ProposalEffect> {
  const { id, proposal } = operator
  const { token, statement } = await newEmailToken(db, id, 'reset-password', nowMs)
  return {
    statements: [
      db.delete(passkeys).where(eq(passkeys.userId, id)),
      db.delete(secondFactors).where(eq(secondFactors.userId, id)),
      ...replacePassword(db, { userId: id, passwordHash: dummyHash, nowMs, cause: 'factors_removed' }),
      endTokens(id, 'reset-password', nowMs),
      statement,
    ],
    audit: [{ action: 'operator.factor_reset', subject: id, detail: { proposal } }],
    mails: [buildFactorResetMail(env, operator, token)],
  }
}
