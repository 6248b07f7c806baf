import { CheckboxField } from '../../design/CheckboxField.tsx'
import { Notice } from '../../design/Notice.tsx'

interface CannotEncryptProps {
  isAgreed: boolean
  onChange: (isAgreed: boolean) => void
}

/** The browser could not encrypt: what to do, and the weaker way for who chooses it. */
export function CannotEncrypt({ isAgreed, onChange }: CannotEncryptProps) {
  return (
    <>
      <Notice tone="danger" live title="Your browser could not encrypt the document">
        Nothing was sent. Reload the page and try again, or use a browser that is up to date.
      </Notice>
      <CheckboxField
        label="Send it without end-to-end encryption"
        hint="It travels over the encrypted connection, and our server encrypts it as it arrives. The server could read it."
        checked={isAgreed}
        onChange={({ target }) => onChange(target.checked)}
      />
    </>
  )
}
