import { useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { awaitedEmail } from './awaited.ts'
import { ResendButton } from './ResendButton.tsx'
import { ResendForm } from './ResendForm.tsx'

export function CheckEmail() {
  return (
    <ErrorBoundary>
      <Awaiting />
    </ErrorBoundary>
  )
}

function Awaiting() {
  const email = useSyncExternalStore(
    () => () => {},
    awaitedEmail,
    () => null,
  )
  return (
    <div className="stack">
      <p>
        We have sent a verification link to {email === null ? 'your address' : <strong>{email}</strong>}. Open
        it to finish your registration, then sign in.
      </p>
      <p className="soft small">
        Nothing there after a few minutes? Look among unwanted mail, or have it sent again.
      </p>
      {email === null ? <ResendForm /> : <ResendButton email={email} />}
    </div>
  )
}
