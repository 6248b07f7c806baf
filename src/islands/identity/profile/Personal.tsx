import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import type { Resource } from '../../lib/resource.ts'
import { ChangeEmail } from './ChangeEmail.tsx'
import { EmailChangeWaiting } from './EmailChangeWaiting.tsx'
import styles from './Personal.module.css'
import { ITEMS, type Item, type Profile } from './person.ts'
import { UpdateProfile } from './UpdateProfile.tsx'

interface PersonalProps {
  profile: Resource<Profile> & { reload: () => void }
  /** An operator's e-mail address is not theirs to change. */
  isOperator: boolean
}

/** What is known of a person. Each item opens the form that changes it, from where the e-mail address has one of its own. */
export function Personal({ profile, isOperator }: PersonalProps) {
  const [opened, setOpened] = useState<Item | null>(null)
  const [isChangingEmail, setChangingEmail] = useState(false)
  const emailButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpened(null)
  if (profile.state === 'failed') return <LoadFailure msg={profile.msg} onRetry={profile.reload} />
  const known = profile.state === 'ready' ? profile.data.person : null
  const waiting = profile.state === 'ready' ? profile.data.emailChange : null
  const endChangingEmail = () => {
    setChangingEmail(false)
    // Who came for the address alone has nothing left to do in the form under it.
    if (opened === 'email') close()
  }
  return (
    <>
      {waiting && (
        <EmailChangeWaiting
          change={waiting}
          onAgain={() => setChangingEmail(true)}
          onEnded={() => {
            // The button that was pressed goes away with the rest.
            emailButton.current?.focus()
            profile.reload()
          }}
        />
      )}
      <Panel>
        {known === null && (
          <p role="status" className="visually-hidden">
            Loading your personal information
          </p>
        )}
        <dl className={styles.items} aria-busy={known === null || undefined}>
          {ITEMS.map(({ name, label }) => (
            <div key={name} className={styles.item}>
              <dt>{label}</dt>
              <dd>{known ? <Value text={known[name]} /> : <Skeleton width="medium" />}</dd>
              {known && (
                <dd className={styles.change}>
                  <button
                    ref={name === 'email' ? emailButton : undefined}
                    type="button"
                    aria-haspopup="dialog"
                    onClick={() => setOpened(name)}
                  >
                    <Pencil aria-hidden="true" size={16} />
                    <span className="visually-hidden">Change {label}</span>
                  </button>
                </dd>
              )}
            </div>
          ))}
        </dl>
        {/* Before the dialog that it lies upon, so that it gives the focus back while there is what had it. */}
        {known && (
          <Modal open={isChangingEmail} onClose={() => setChangingEmail(false)} title="Change e-mail address">
            <ChangeEmail
              email={known.email}
              again={waiting?.newEmail}
              onAsked={profile.reload}
              onDone={endChangingEmail}
            />
          </Modal>
        )}
        {known && (
          <Modal open={opened !== null} onClose={close} title="Update Profile" size="large">
            <UpdateProfile
              person={known}
              first={opened ?? 'fullname'}
              onChangeEmail={isOperator ? null : () => setChangingEmail(true)}
              onDone={() => {
                close()
                profile.reload()
              }}
            />
          </Modal>
        )}
      </Panel>
    </>
  )
}

function Value({ text }: { text: string }) {
  return text === '' ? <span className={styles.unknown}>unknown</span> : text
}
