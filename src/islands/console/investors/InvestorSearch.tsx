import { ACCOUNT_STANDINGS, IDENTITY_STANDINGS } from '../../../contract/console/investors.ts'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import styles from './InvestorSearch.module.css'
import { identityWord } from './identityWord.ts'
import type { Search } from './useSearch.ts'

/** Finds by name, e-mail address, phone number, reference or id, and narrows to what stands. */
export function InvestorSearch({ search }: { search: Search }) {
  const { text, account, kyc, isAnywhere, narrow } = search
  return (
    <search className={styles.search}>
      <form
        className={styles.words}
        onSubmit={(event) => {
          event.preventDefault()
          search.find()
        }}
      >
        <TextField
          label="Find an investor"
          hint="The beginning of a name, an e-mail address or a phone number; a reference, a transaction id."
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          value={text}
          onChange={({ target }) => search.type(target.value)}
        />
        <CheckboxField
          label="Anywhere in them, not only where they begin"
          checked={isAnywhere}
          onChange={({ target }) => narrow({ anywhere: target.checked ? 'true' : '' })}
        />
      </form>
      <SelectField
        label="Account"
        value={account}
        placeholder="Any account"
        options={ACCOUNT_STANDINGS.map((value) => ({
          value,
          label: value.charAt(0).toUpperCase() + value.slice(1),
        }))}
        onChange={({ target }) => narrow({ account: target.value })}
      />
      <SelectField
        label="Identity"
        value={kyc}
        placeholder="Any identity"
        options={IDENTITY_STANDINGS.map((value) => ({ value, label: identityWord(value) }))}
        onChange={({ target }) => narrow({ kyc: target.value })}
      />
    </search>
  )
}
