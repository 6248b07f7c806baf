import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { CodeField } from '../../../design/Field.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'

interface Confirmation {
  password?: unknown
  code?: unknown
  passkey?: unknown
}

type Name<S extends z.ZodMiniType> = keyof z.input<S> & string

type ConfirmedFormProps<B extends z.ZodMiniType, A, S extends z.ZodMiniType> = Pick<
  EndpointFormOptions<B, A, S>,
  'endpoint' | 'params' | 'schema' | 'defaultValues' | 'bodyOf' | 'focus' | 'onDone'
> &
  Pick<FormProps, 'label' | 'submitLabel' | 'submitVariant' | 'actions'> & {
    email: string
    passwordHint?: string
    /** Asks for the code from the start, before the server does. */
    asksCodeAtOnce?: boolean
    /** Shown above the password. */
    children: ReactNode | ((field: (name: Name<S>) => FieldAttributes) => ReactNode)
  }

/**
 * A form in a dialog that asks for the password and, if the server requires it, for a code or a passkey. An open session
 * is not enough, because another person may be using the device.
 */
export function ConfirmedForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, Confirmation> = B & z.ZodMiniType<unknown, Confirmation>,
>(props: ConfirmedFormProps<B, A, S>) {
  const {
    email,
    passwordHint,
    asksCodeAtOnce = false,
    children,
    actions,
    label,
    submitLabel,
    submitVariant,
  } = props
  const passkey = usePasskeyProof()
  const [isCodeRequested, setCodeRequested] = useState(asksCodeAtOnce)
  const [methods, setMethods] = useState<readonly string[]>(['totp'])
  const { shell, field, form } = useEndpointForm<B, A, S>({
    ...props,
    failures: 'form',
    beside: {
      wrong_password: toFieldName<S>('password'),
      invalid_code: toFieldName<S>('code'),
      too_many_codes: toFieldName<S>('code'),
    },
    explained: ['invalid_passkey', 'second_factor_required'],
    onFailure: (failure) => {
      passkey.onFailure(failure)
      if (failure.methods !== undefined) setMethods(failure.methods)
      if (failure.code !== 'second_factor_required') return
      // The form already asked for the code, so the field was left blank.
      if (isCodeRequested && !passkey.isChosen && failure.passkey === undefined)
        form.setError('code', { message: 'Please enter the code' })
      setCodeRequested(true)
    },
  })
  return (
    <Form
      {...passkey.shellOf(shell, (answer) => form.setValue(toFieldName<S>('passkey'), answer))}
      label={label}
      submitLabel={submitLabel}
      submitVariant={submitVariant}
      actions={
        <>
          <PasskeyOrCode passkey={passkey} />
          {actions}
        </>
      }
    >
      {typeof children === 'function' ? children(field) : children}
      <AccountName email={email} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        hint={passwordHint}
        {...field(toFieldName<S>('password'))}
      />
      {isCodeRequested && passkey.isChosen && (
        <Notice live title="One more step">
          Follow your browser to confirm with a passkey that you have.
        </Notice>
      )}
      {isCodeRequested && !passkey.isChosen && (
        <CodeField
          label="Code"
          kind="text"
          hint={
            methods.includes('totp')
              ? 'From your authenticator app, or one of your recovery codes.'
              : 'One of your recovery codes.'
          }
          {...field(toFieldName<S>('code'))}
        />
      )}
    </Form>
  )
}

/** Safe, because `S` is constrained to accept each field of `Confirmation`. */
function toFieldName<S extends z.ZodMiniType>(name: keyof Confirmation) {
  return name as Name<S>
}
