import type { Actor } from '../../http/actor.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import type { KeyFacts } from './reviewerKeys.ts'

/** Tells a reviewer of a key proposed from their account: if it was not them, their session was stolen. */
export function keyProposed(
  env: Env,
  actor: Pick<Actor, 'email' | 'displayName'>,
  fingerprint: string,
): Mail {
  return composeMail(actor.email, 'A reviewer key was proposed from your account', actor.displayName, [
    'a public key was proposed as yours, to which identity documents will be encrypted once another operator has approved it.',
    `Its fingerprint: ${fingerprint}`,
    'If it was not you, choose a new password at once and tell another operator to reject it.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
  ])
}

/** Tells a reviewer that somebody else retired their key. */
export function keyRetired(
  { ownerEmail, ownerName }: Pick<KeyFacts, 'ownerEmail' | 'ownerName'>,
  fingerprint: string,
): Mail {
  return composeMail(ownerEmail, 'Your reviewer key was retired', ownerName, [
    'an administrator retired your reviewer key: no further identity document is encrypted to it.',
    `Its fingerprint: ${fingerprint}`,
    'What was encrypted to it before still opens with it.',
  ])
}
