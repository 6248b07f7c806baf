import { useEffect, useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { listActivity } from '../../../contract/identity/activity.ts'
import { twoFactorStatus } from '../../../contract/identity/factors.ts'
import { listKeys } from '../../../contract/identity/keys.ts'
import { listPasskeys } from '../../../contract/identity/passkeys.ts'
import { listSessions } from '../../../contract/identity/sessions.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { usePages } from '../../lib/pages.ts'
import { type Resource, useResource } from '../../lib/resource.ts'
import { Activity } from './Activity.tsx'
import { CloseAccount } from './CloseAccount.tsx'
import { DestinationLock } from './DestinationLock.tsx'
import { Keys } from './Keys.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { YourData } from './YourData.tsx'

export function Security({ session }: { session: SessionAnswer | null }) {
  const twoFactor = useResource('second factor', () => call(twoFactorStatus))
  const passkeys = useResource('passkeys', () => call(listPasskeys))
  const sessions = usePages(listSessions)
  const activity = usePages(listActivity, { limit: '10' })
  const isOperator = session?.role === 'operator'
  const keys = useResource(session === null || isOperator ? null : 'keys', () => call(listKeys))
  // A change in one panel also affects the others.
  const reloadAll = () => {
    twoFactor.reload()
    passkeys.reload()
    sessions.reload()
    keys.reload()
    activity.reload()
  }
  return (
    <WithAside aside={<WhenSomethingLooksWrong isOperator={isOperator} />}>
      {isOperator && <ConsoleAccess twoFactor={twoFactor} />}
      <Password session={session} onChanged={reloadAll} />
      <SecondFactor session={session} twoFactor={twoFactor} onChanged={reloadAll} />
      <Passkeys session={session} keys={passkeys} twoFactor={twoFactor} onChanged={reloadAll} />
      {session?.role === 'investor' && <DestinationLock session={session} />}
      <Sessions sessions={sessions} onEnded={reloadAll} />
      {!isOperator && <Keys session={session} keys={keys} onChanged={reloadAll} />}
      <Activity activity={activity} />
      <YourData />
      <CloseAccount session={session} />
    </WithAside>
  )
}

/** Tells an operator that the console opens with a second factor, and leads there once it is on. */
function ConsoleAccess({ twoFactor }: { twoFactor: Resource<AnswerOf<typeof twoFactorStatus>> }) {
  const [wasOff, setWasOff] = useState(false)
  const isOff = twoFactor.state === 'ready' && !twoFactor.data.on
  const isOn = twoFactor.state === 'ready' && twoFactor.data.on
  // Until then, the menu would lead to pages that do not open. It stays short on the other tabs of this page.
  useEffect(() => {
    const { dataset } = document.documentElement
    if (isOff) dataset.roles = 'none'
    else if (isOn && dataset.roles === 'none') delete dataset.roles
  }, [isOff, isOn])
  if (twoFactor.state !== 'ready') return null
  if (!twoFactor.data.on && !wasOff) setWasOff(true)
  if (!twoFactor.data.on)
    return (
      <Notice tone="caution" title="Next: turn on a second factor">
        Set up an authenticator app below, or add a passkey. The console opens once a second factor is on.
        Until then nobody can assign work to you.
      </Notice>
    )
  return wasOff ? (
    <Notice
      tone="success"
      live
      title="Your second factor is on"
      actions={
        <ButtonLink href="/operator" variant="primary" size="small">
          Open the console
        </ButtonLink>
      }
    >
      Everything in the console is open to your roles now.
    </Notice>
  ) : null
}

function WhenSomethingLooksWrong({ isOperator }: { isOperator: boolean }) {
  return (
    <section aria-labelledby="looks-wrong">
      <h2 id="looks-wrong">If something looks wrong</h2>
      <ol>
        <li>Change your password. This ends all your other sessions.</li>
        <li>Turn on the second factor, or add a passkey.</li>
        <li>
          Lock your account with the link in any of our security mails, or write to{' '}
          <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.{' '}
          <span>
            {isOperator
              ? 'Any administrator can disable it at once.'
              : 'No money moves from a locked account.'}
          </span>
        </li>
      </ol>
      <p>{site.brand} never asks you for a password or a code.</p>
    </section>
  )
}
