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
    hint: 'A sign-in from somewhere new, one with a recovery code, or many that failed.',
  },
  newBrowserSignIn: {
    label: 'New browser sign-in',
    hint: 'Each sign-in from a browser that your account has not been used with before.',
  },
  salesNews: { label: 'Sales and latest news', hint: 'What is offered, and what there is to report.' },
  features: { label: 'New features and updates', hint: 'What the site can do that it could not before.' },
  tips: { label: 'Tips on using your account', hint: 'How to get more out of what is there.' },
}

export function Notifications() {
  const preferences = usePreferences()
  return (
    <WithAside aside={<AlwaysSent />}>
      <Panel title="E-mails to you">
        {preferences.state === 'loading' && <Waiting />}
        {preferences.state === 'failed' && <LoadFailure msg={preferences.msg} onRetry={preferences.load} />}
        {preferences.state === 'ready' && (
          <div className={styles.switches}>
            {MAIL_KINDS.map((kind) => (
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

function AlwaysSent() {
  return (
    <section aria-labelledby="always-sent">
      <h2 id="always-sent">Always sent, whatever you choose</h2>
      <ul>
        <li>Links and codes that you ask for.</li>
        <li>That your password, your second factor or your e-mail address was changed.</li>
        <li>That your account was locked, or your data downloaded.</li>
        <li>That the activity log, or mails about unusual activity, were turned off.</li>
        <li>What becomes of your money: deposits, withdrawals, decisions.</li>
      </ul>
    </section>
  )
}
