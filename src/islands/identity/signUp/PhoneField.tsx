import { TextField, type TextFieldProps } from '../../../design/TextField.tsx'

/** A phone number as the contract wants it. */
export function PhoneField(field: Omit<TextFieldProps, 'type' | 'autoComplete' | 'hint'>) {
  return <TextField {...field} type="tel" autoComplete="tel" hint="With the country code: +1 555 010 0199" />
}
