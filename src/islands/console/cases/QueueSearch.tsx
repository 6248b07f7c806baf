import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { KeyHint } from './Key.tsx'
import styles from './QueueSearch.module.css'

export interface QueueSearchProps {
  /** What can be found, in lower case: "deposits". */
  what: string
  /** A part of which a row is found by: "Name, e-mail or reference". */
  by: string
  query: string
  onFind: (query: string) => void
  /** For the key that leads here. */
  field: RefObject<HTMLInputElement | null>
  /** Takes the focus after a search, so that keys move through what was found. */
  onDone: () => void
}

/** Finds within the filter in force. Emptied, it shows all again. */
export function QueueSearch({ what, by, query, onFind, field, onDone }: QueueSearchProps) {
  const shown = useRef(query)
  // The way back, and a link, change what is searched for, too.
  useEffect(() => {
    if (field.current && shown.current !== query) field.current.value = query
    shown.current = query
  }, [field, query])
  const find = (text: string) => {
    shown.current = text.trim()
    onFind(text.trim())
  }
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          find(field.current?.value ?? '')
          onDone()
        }}
      >
        <Search aria-hidden="true" size={16} />
        <input
          ref={field}
          type="search"
          name="query"
          aria-label={`Find ${what}: ${by.toLowerCase()}`}
          aria-keyshortcuts="/"
          placeholder={by}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          defaultValue={query}
          enterKeyHint="search"
          onChange={({ target }) => {
            if (target.value === '') find('')
          }}
        />
        <KeyHint of="/" />
      </form>
    </search>
  )
}
