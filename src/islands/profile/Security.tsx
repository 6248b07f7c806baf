import type { SessionAnswer } from '../../contract/auth.ts'
import { WithAside } from '../../design/WithAside.tsx'
import { site } from '../../site.ts'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** What guards the account, and what happened to it. */
export function Security({ session }: { session: SessionAnswer | null }) {
  return (
    <WithAside aside={<WhenSomethingLooksWrong />}>
      <Password session={session} onChanged={() => {}} />
      <SecondFactor session={session} />
    </WithAside>
  )
}

function WhenSomethingLooksWrong() {
  return (
    <section aria-labelledby="looks-wrong">
      <h2 id="looks-wrong">If something looks wrong</h2>
      <ol>
        <li>Change your password. That ends every session but this one.</li>
        <li>Turn the second factor on.</li>
        <li>
          Write to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. An operator can freeze
          your account, so that no money moves.
        </li>
      </ol>
      <p>Nobody from {site.brand} ever asks you for a password or a code.</p>
    </section>
  )
}
