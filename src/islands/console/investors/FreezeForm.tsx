import type { reasonBody } from '../../../contract/console/cases.ts'
import { freezeInvestor, freezeSilently, type OperatorInvestor } from '../../../contract/console/investors.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ReasonForm, type ReasonFormProps } from '../cases/ReasonForm.tsx'

interface FreezeFormProps
  extends Pick<
    ReasonFormProps<typeof reasonBody, OperatorInvestor>,
    'settings' | 'onDecided' | 'onOvertaken' | 'onCancel'
  > {
  investor: Pick<OperatorInvestor, '_id' | 'name' | 'email'>
}

/** Freezes an account. Its owner is told, unless it is closed. */
export function FreezeForm({
  investor,
  isClosed = false,
  ...props
}: FreezeFormProps & { isClosed?: boolean }) {
  const who = `${isolate(investor.name)} (${investor.email})`
  return (
    <ReasonForm
      {...props}
      row={investor}
      endpoint={freezeInvestor}
      kind="freeze"
      label="Internal note"
      hint={
        isClosed
          ? 'Only operators read it.'
          : 'Only operators read it. We mail the investor that the account is frozen, without a reason.'
      }
      consequence={
        isClosed
          ? `The closed account of ${who} is kept complete. Nothing is erased until the freeze is lifted.`
          : `${who} can still sign in, read everything and cancel pending requests, but cannot move money.`
      }
      confirmLabel="Freeze the account"
      atOnce
    />
  )
}

/** Begins a silent freeze, or renews the one that stands. Its owner is not told. */
export function SilentFreezeForm({
  investor,
  stands = false,
  ...props
}: FreezeFormProps & { stands?: boolean }) {
  return (
    <ReasonForm
      {...props}
      row={investor}
      endpoint={freezeSilently}
      label="Internal note"
      hint="Only your role, compliance and auditors can read it. The investor never gets it."
      consequence={`${isolate(investor.name)} sees and files everything as usual. Nothing is approved, rejected, credited or paid until you end it.`}
      confirmLabel={stands ? 'Renew the silent freeze' : 'Freeze silently'}
    />
  )
}
