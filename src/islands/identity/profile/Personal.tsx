import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { patchUserInfo, profileForm } from '../../../contract/identity/profile.ts'
import { Button } from '../../../design/Button.tsx'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Option, SelectField } from '../../../design/SelectField.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import type { Resource } from '../../lib/resource.ts'
import { updateSession } from '../../lib/session.ts'
import { CountryField, PhoneField, withSavedValue } from '../signUp/PersonFields.tsx'
import { ChangeEmail, PendingEmailChange } from './ChangeEmail.tsx'
import styles from './Profile.module.css'
import { collectChanges, ITEMS, type Item, type Person, type Profile } from './person.ts'

interface PersonalProps {
  profile: Resource<Profile> & { reload: () => void }
  /** Operators cannot change their own e-mail address. */
  isOperator: boolean
}

/** Each item opens the profile form. The e-mail address has its own form. */
export function Personal({ profile, isOperator }: PersonalProps) {
  const [opened, setOpened] = useState<Item | null>(null)
  const [isChangingEmail, setChangingEmail] = useState(false)
  const emailButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpened(null)
  if (profile.state === 'failed') return <LoadFailure msg={profile.msg} onRetry={profile.reload} />
  const person = profile.state === 'ready' ? profile.data.person : null
  const pendingChange = profile.state === 'ready' ? profile.data.emailChange : null
  const endChangingEmail = () => {
    setChangingEmail(false)
    // The profile form was opened only for the address.
    if (opened === 'email') close()
  }
  return (
    <>
      {pendingChange && (
        <PendingEmailChange
          change={pendingChange}
          onResend={() => setChangingEmail(true)}
          onEnded={() => {
            // The clicked button was removed with the panel.
            emailButton.current?.focus()
            profile.reload()
          }}
        />
      )}
      <Panel>
        {person === null && (
          <p role="status" className="visually-hidden">
            Loading your personal information
          </p>
        )}
        <dl className={styles.items} aria-busy={person === null || undefined}>
          {ITEMS.filter(({ name }) => !isOperator || OPERATOR_ITEMS.includes(name)).map(({ name, label }) => (
            <div key={name} className={styles.item}>
              <dt>{label}</dt>
              <dd>{person ? <Value text={person[name]} /> : <Skeleton width="medium" />}</dd>
              {person && (
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
        {/* Closes before the dialog below, so that the focus returns to an element that still exists. */}
        {person && (
          <Modal open={isChangingEmail} onClose={() => setChangingEmail(false)} title="Change e-mail address">
            <ChangeEmail
              email={person.email}
              pendingEmail={pendingChange?.newEmail}
              onRequested={profile.reload}
              onDone={endChangingEmail}
            />
          </Modal>
        )}
        {person && (
          <Modal open={opened !== null} onClose={close} title="Update Profile" size="large">
            <UpdateProfile
              person={person}
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

/** The items of an operator. */
const OPERATOR_ITEMS: readonly Item[] = ['fullname', 'email', 'phone']

function Value({ text }: { text: string }) {
  return <span className={text === '' ? styles.unknown : undefined}>{text === '' ? 'unknown' : text}</span>
}

interface UpdateProfileProps {
  person: Person
  /** The clicked item, whose field gets the focus. */
  first: Item
  /** Null for operators, who cannot change their address. */
  onChangeEmail: (() => void) | null
  onDone: () => void
}

/** Leaves blank fields unchanged. */
function UpdateProfile({ person, first, onChangeEmail, onDone }: UpdateProfileProps) {
  const { shell, field } = useEndpointForm({
    endpoint: patchUserInfo,
    schema: profileForm,
    draft: 'profile',
    defaultValues: { ...person },
    bodyOf: (typed) => collectChanges(person, pickTexts(typed)),
    focus: first,
    failures: 'form',
    onFailure: ({ msg }) => toast.error(msg),
    onDone: ({ msg }, typed) => {
      const { displayName } = collectChanges(person, pickTexts(typed))
      if (displayName !== undefined) updateSession({ name: displayName })
      toast.success(msg)
      onDone()
    },
  })
  return (
    <Form {...shell} submitLabel="Update Info" label="Update Profile">
      <p className="small soft">Blank fields stay unchanged.</p>
      <div className="pair">
        <TextField
          label="Full Name"
          autoComplete="name"
          hint={
            onChangeEmail
              ? 'As on your identity document. If your identity is approved, another name is reviewed first, and you cannot deposit or withdraw until then.'
              : 'Other operators and investors see it.'
          }
          {...field('fullname')}
        />
        <div className={styles.email}>
          <TextField
            label="Email"
            type="email"
            readOnly
            hint={onChangeEmail ? 'You sign in with it.' : 'You sign in with it. Operators cannot change it.'}
            {...field('email')}
          />
          {onChangeEmail && (
            <Button size="small" aria-haspopup="dialog" onClick={onChangeEmail}>
              Change Email Address
            </Button>
          )}
        </div>
      </div>
      <div className="pair">
        <PhoneField label="Phone Number" {...field('phone')} />
        {onChangeEmail && <CountryField {...field('country')} />}
      </div>
      {onChangeEmail && (
        <>
          <TextArea label="Address" autoComplete="street-address" rows={3} {...field('address')} />
          <div className="pair">
            <SelectField
              label="Marital Status"
              placeholder="Not said"
              options={withSavedValue(MARITAL_STATUS, person.maritalStatus)}
              {...field('maritalStatus')}
            />
            {/* Free text, like its autocomplete token. */}
            <TextField label="Gender" autoComplete="sex" {...field('gender')} />
          </div>
        </>
      )}
    </Form>
  )
}

const MARITAL_STATUS: readonly Option[] = [
  'Single',
  'Married',
  'In a civil partnership',
  'Separated',
  'Divorced',
  'Widowed',
].map((status) => ({ value: status, label: status }))

function pickTexts(typed: Readonly<Record<string, unknown>>): Partial<Record<Item, string>> {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => typeof value === 'string'))
}
