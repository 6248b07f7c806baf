import { MAIL_KINDS, type MailKind } from '../../../contract/identity/preferences.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { ChoiceSwitch, usePreferences } from './ChoiceSwitch.tsx'
import styles from './Profile.module.css'

const WORDS: Record<MailKind, { label: string; hint: string }> = {
  unusualActivity: {
    label: 'Unusual activity',
    hint: 'Sign-ins from a new place or with a recovery code, and many failed ones.',
  },
  newBrowserSignIn: {
    label: 'New browser sign-in',
    hint: 'Each sign-in from a browser that you have not used before.',
  },
  salesNews: { label: 'Sales and latest news', hint: 'Offers and news about us.' },
  features: { label: 'New features and updates', hint: 'What is new on the site.' },
  tips: { label: 'Tips on using your account', hint: 'How to get more out of your account.' },
}

/** Operators get no news. */
export function Notifications({ isOperator }: { isOperator: boolean }) {
  const preferences = usePreferences()
  return (
    <WithAside aside={<AlwaysSent isOperator={isOperator} />}>
      <Panel title="E-mails to you">
        {preferences.state === 'loading' && <Waiting />}
        {preferences.state === 'failed' && <LoadFailure msg={preferences.msg} onRetry={preferences.load} />}
        {preferences.state === 'ready' && (
          <div className={styles.switches}>
            {MAIL_KINDS.filter((kind) => !isOperator || SECURITY_KINDS.includes(kind)).map((kind) => (
              <ChoiceSwitch
                key={kind}
                {...WORDS[kind]}
                isOn={preferences.choices[kind]}
                problem={preferences.problems[kind]}
                onChoose={(isOn) => void preferences.choose(kind, isOn)}
              />
            ))}
          </div>
        )}
      </Panel>
    </WithAside>
  )
}

const SECURITY_KINDS: readonly MailKind[] = ['unusualActivity', 'newBrowserSignIn']

function Waiting() {
  return (
    <div className={styles.switches}>
      <p role="status" className="visually-hidden">
        Loading your choices
      </p>
      {MAIL_KINDS.map((kind) => (
        <div key={kind} className={styles.waits}>
          <Skeleton width="medium" />
          <Skeleton width="long" />
        </div>
      ))}
    </div>
  )
}

function AlwaysSent({ isOperator }: { isOperator: boolean }) {
  return (
    <section aria-labelledby="always-sent">
      <h2 id="always-sent">Always sent</h2>
      <ul>
        <li>Links and codes that you request.</li>
        <li>Changes of your password, second factor or e-mail address.</li>
        <li>A locked account, and downloads of your data.</li>
        <li>Turning off the activity log or mails about unusual activity.</li>
        {!isOperator && <li>Your deposits and withdrawals, and our decisions on them.</li>}
        {!isOperator && <li>Notices about the service, such as maintenance or a change of terms or fees.</li>}
      </ul>
    </section>
  )
}
