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

/** The fields of every such form. */
interface Confirmed {
  password?: unknown
  code?: unknown
  passkey?: unknown
}

type Name<S extends z.ZodMiniType> = keyof z.input<S> & string

type ConfirmedFormProps<B extends z.ZodMiniType, A, S extends z.ZodMiniType> = Pick<
  EndpointFormOptions<B, A, S>,
  'endpoint' | 'params' | 'schema' | 'bodyOf' | 'focus' | 'onDone'
> &
  Pick<FormProps, 'label' | 'submitLabel' | 'submitVariant' | 'actions'> & {
    /** For password managers. */
    email: string
    passwordHint?: string
    /** Ask for the code from the start, not only once the server says that it is missing. */
    asksAtOnce?: boolean
    /** What stands above the password. */
    children: ReactNode | ((field: (name: Name<S>) => FieldAttributes) => ReactNode)
  }

/**
 * A form in a dialog that asks for the password and, once the server wants it, a code or a passkey: an open session may
 * have been left to somebody else.
 */
export function ConfirmedForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, Confirmed> = B & z.ZodMiniType<unknown, Confirmed>,
>(props: ConfirmedFormProps<B, A, S>) {
  const {
    email,
    passwordHint,
    asksAtOnce = false,
    children,
    actions,
    label,
    submitLabel,
    submitVariant,
  } = props
  const passkey = usePasskeyProof()
  const [isAsked, setAsked] = useState(asksAtOnce)
  const [methods, setMethods] = useState<readonly string[]>(['totp'])
  const { shell, field, form } = useEndpointForm<B, A, S>({
    ...props,
    failures: 'form',
    beside: {
      wrong_password: named<S>('password'),
      invalid_code: named<S>('code'),
      too_many_codes: named<S>('code'),
    },
    explained: ['invalid_passkey', 'second_factor_required'],
    onFailure: (failure) => {
      passkey.onFailure(failure)
      if (failure.methods !== undefined) setMethods(failure.methods)
      if (failure.code !== 'second_factor_required') return
      // The code was asked for already, so it was left blank.
      if (isAsked && !passkey.isChosen && failure.passkey === undefined)
        form.setError('code', { message: 'Please enter the code' })
      setAsked(true)
    },
  })
  return (
    <Form
      {...passkey.shellOf(shell, (answer) => form.setValue(named<S>('passkey'), answer))}
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
        {...field(named<S>('password'))}
      />
      {isAsked && passkey.isChosen && (
        <Notice live title="One more step">
          Confirm with a passkey that you have already: your browser shows how.
        </Notice>
      )}
      {isAsked && !passkey.isChosen && (
        <CodeField
          label="Code"
          kind="text"
          hint={
            methods.includes('totp')
              ? 'From your authenticator app, or one of your recovery codes.'
              : 'One of your recovery codes.'
          }
          {...field(named<S>('code'))}
        />
      )}
    </Form>
  )
}

/** `S` takes each field of `Confirmed`: its constraint says so. */
function named<S extends z.ZodMiniType>(name: keyof Confirmed) {
  return name as Name<S>
}
