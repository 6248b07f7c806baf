import { Button } from '../../design/Button.tsx'
import { TextField } from '../../design/TextField.tsx'
import styles from './InvestorSearch.module.css'

/** Finds by a part of the name or the e-mail address, or by a reference; an empty one shows all. */
export function InvestorSearch({ query, onFind }: { query: string; onFind: (query: string) => void }) {
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          onFind(String(new FormData(event.currentTarget).get('query') ?? '').trim())
        }}
      >
        <TextField
          label="Name, e-mail address or reference"
          type="search"
          name="query"
          autoComplete="off"
          maxLength={120}
          defaultValue={query}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}
