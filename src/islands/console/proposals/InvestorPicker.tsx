import { type KeyboardEvent, useRef, useState } from 'react'
import { listInvestors } from '../../../contract/console/investors.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { call } from '../../lib/api.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { useResource } from '../../lib/resource.ts'
import styles from './Proposals.module.css'

/** As many as fit a dialog. A longer search text finds the others. */
const SHOWN = 6

/** A form field that finds an investor by a part of the name or e-mail address. Its value is the id. */
export function InvestorPicker(field: FieldAttributes) {
  const input = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState<string | null>(null)
  const found = useResource(query === null ? null : `investors ${query}`, () =>
    call(listInvestors, { query: { query: query ?? '', limit: String(SHOWN) } }),
  )
  const search = () => setQuery(input.current?.value.trim() ?? '')
  const searchOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Otherwise Enter would submit the surrounding form.
    event.preventDefault()
    search()
  }
  return (
    <div className={styles.picker}>
      <div className={styles.search}>
        <TextField
          ref={input}
          label="Find the investor"
          type="search"
          autoComplete="off"
          onKeyDown={searchOnEnter}
          error={query === null ? field.error : undefined}
        />
        <Button onClick={search} busy={query !== null && found.state === 'loading'}>
          Search
        </Button>
      </div>
      {found.state === 'failed' && <LoadFailure msg={found.msg} onRetry={found.reload} />}
      {found.state === 'ready' && found.data.length === 0 && (
        <p role="status">No investor found. Try another part of the name or the e-mail address.</p>
      )}
      {found.state === 'ready' && found.data.length > 0 && (
        <RadioGroup
          {...field}
          label="Investor"
          options={found.data.map(({ _id, name, email }) => ({ value: _id, label: name, hint: email }))}
        />
      )}
    </div>
  )
}
