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
        <li>Change your password. That ends every session but this one.</li>
        <li>Turn the second factor on, or add a passkey.</li>
        <li>
          Lock the account: the link stands in each mail about its security. Or write to{' '}
          <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, and an operator can freeze it. No
          money moves then.
        </li>
      </ol>
      <p>Nobody from {site.brand} ever asks you for a password or a code.</p>
    </section>
  )
}
