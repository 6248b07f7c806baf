import { CodeField, type CodeFieldProps } from '../../../design/CodeField.tsx'
import { Notice } from '../../../design/Notice.tsx'
import type { ConfirmedForm } from './confirmedForm.ts'

interface SecondStepProps {
  proof: ConfirmedForm<never>['proof']
  code: Omit<CodeFieldProps, 'label'>
}

/** The proof of the second factor in a form, once it is asked for: a word about the passkey, or the field for a code. */
export function SecondStep({ proof, code }: SecondStepProps) {
  if (!proof.isAsked) return null
  if (proof.passkey.isChosen)
    return (
      <Notice live title="One more step">
        Confirm with a passkey that you have already: your browser shows how.
      </Notice>
    )
  return (
    <CodeField
      label="Code"
      kind="text"
      hint={
        proof.byApp
          ? 'From your authenticator app, or one of your recovery codes.'
          : 'One of your recovery codes.'
      }
      {...code}
    />
  )
}
