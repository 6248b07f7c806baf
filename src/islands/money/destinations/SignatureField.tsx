import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'

/** A signature of a message, pasted from a wallet. */
export function SignatureField(field: FieldAttributes) {
  return (
    <TextArea
      label="Signature"
      hint="Copy it from the wallet, in one piece."
      rows={3}
      maxLength={1000}
      autoComplete="off"
      spellCheck={false}
      {...field}
    />
  )
}
