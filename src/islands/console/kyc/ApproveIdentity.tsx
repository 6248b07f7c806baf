import { identityData } from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TextField } from '../../../design/Field.tsx'
import { DAY_MS } from '../../../time.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import styles from './CheckedForm.module.css'
import { type ApproveProps, CheckedForm, useApproval } from './CheckedForm.tsx'

const CHECKS = [
  'The name is the one on the account',
  'The country is one that we serve',
  'The face can be seen clearly',
] as const

/** Whether one name has all words of the other. A document often has more words. */
function isSameName(first: string, second: string): boolean {
  const split = (name: string): readonly string[] =>
    name
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .match(/\p{L}+/gu) ?? []
  const [words, others] = [split(first), split(second)]
  return words.every((word) => others.includes(word)) || others.every((word) => words.includes(word))
}

/** Approves an identity and records the data on the document. */
export function ApproveIdentity(props: ApproveProps) {
  const { isDocumentOpen } = props
  const form = useApproval(identityData, props)
  const { field, watch } = form
  const { name } = props.row.investor
  const typedName = String(watch('documentName') ?? '').trim()
  const daysLeft = Math.ceil((Date.parse(String(watch('expiresOn'))) - getServerNow()) / DAY_MS)
  return (
    <CheckedForm
      {...form.checked}
      checks={[
        ...CHECKS,
        ...(typedName === '' || isSameName(typedName, name)
          ? []
          : [`“${isolate(typedName)}” is not the account’s name “${isolate(name)}”, and is the same person`]),
      ]}
      submitLabel={`Approve identity of ${isolate(props.row.investor.name)}`}
      leadsTo="can then deposit and withdraw."
    >
      <TextField
        label="Name on the document"
        autoComplete="off"
        disabled={!isDocumentOpen}
        hint="Type it from the document. Payees of withdrawals are compared with it."
        {...field('documentName')}
      />
      <TextField
        label="Number of the document"
        autoComplete="off"
        disabled={!isDocumentOpen}
        hint="Stored so that the same document is noticed on another account, and nobody can read it."
        {...field('documentNumber')}
      />
      <div className={styles.dates}>
        <TextField label="Date of birth" type="date" disabled={!isDocumentOpen} {...field('bornOn')} />
        <TextField
          label="Expires on"
          type="date"
          disabled={!isDocumentOpen}
          hint={
            daysLeft > 0 &&
            daysLeft < 31 && (
              <strong>{`${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left. The investor is asked for another one then.`}</strong>
            )
          }
          {...field('expiresOn')}
        />
      </div>
    </CheckedForm>
  )
}
