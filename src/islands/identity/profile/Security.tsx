import { listActivity } from '../../../contract/identity/activity.ts'
import { twoFactorStatus } from '../../../contract/identity/factors.ts'
import { listPasskeys } from '../../../contract/identity/passkeys.ts'
import { listSessions } from '../../../contract/identity/sessions.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { WithAside } from '../../../design/WithAside.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { usePages } from '../../lib/pages.ts'
import { useResource } from '../../lib/resource.ts'
import { Activity } from './Activity.tsx'
import { CloseAccount } from './CloseAccount.tsx'
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
  // A change in one panel also affects the others.
  const reloadAll = () => {
    twoFactor.reload()
    passkeys.reload()
    sessions.reload()
    activity.reload()
  }
  return (
    <WithAside aside={<WhenSomethingLooksWrong />}>
      <Password session={session} onChanged={reloadAll} />
      <SecondFactor session={session} twoFactor={twoFactor} onChanged={reloadAll} />
      <Passkeys session={session} keys={passkeys} twoFactor={twoFactor} onChanged={reloadAll} />
      <Sessions sessions={sessions} onEnded={reloadAll} />
      <Activity activity={activity} />
      <YourData />
      <CloseAccount session={session} />
    </WithAside>
  )
}

function WhenSomethingLooksWrong() {
  return (
    <section aria-labelledby="looks-wrong">
      <h2 id="looks-wrong">If something looks wrong</h2>
      <ol>
        <li>Change your password. This ends all your other sessions.</li>
        <li>Turn on the second factor, or add a passkey.</li>
        <li>
          Lock your account with the link in any of our security mails, or write to{' '}
          <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. No money moves from a locked
          account.
        </li>
      </ol>
      <p>{site.brand} never asks you for a password or a code.</p>
    </section>
  )
}
