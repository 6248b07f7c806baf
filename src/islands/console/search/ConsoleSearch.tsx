import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { searchConsole } from '../../../contract/console/search.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import cases from '../cases/cases.module.css'
import { KeyHint, ShortcutHelp, useShortcuts } from '../cases/shortcuts.tsx'
import { useOperator } from '../cases/useOperator.ts'
import styles from './ConsoleSearch.module.css'
import { listResults } from './words.ts'

/** The search in the head of every console page, and the keys that work on all of them: `/` and `?`. */
export function ConsoleSearch() {
  return (
    <ErrorBoundary home="/operator">
      <SearchBox />
    </ErrorBoundary>
  )
}

const TYPING_PAUSE_MS = 200

function SearchBox() {
  // Every console page has the search, and needs the roles for the menu.
  useOperator()
  const box = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isHelping, setHelping] = useState(false)
  /** Enter was pressed before the results came: the first one opens at once. */
  const [isGoing, setGoing] = useState(false)
  const query = useSettled(typed.trim())
  useShortcuts(
    {
      '/': () => {
        field.current?.focus()
        field.current?.select()
      },
    },
    box,
  )
  useShortcuts({ '?': () => setHelping(true) })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setOpen(false)
      field.current?.focus()
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined || box.current === null) return
    event.preventDefault()
    const stops = [...box.current.querySelectorAll<HTMLElement>('input, a')]
    stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus()
  }
  return (
    <search
      ref={box}
      className={styles.box}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) setOpen(false)
      }}
    >
      <form
        className={cases.search}
        onSubmit={(event) => {
          event.preventDefault()
          const first = box.current?.querySelector<HTMLElement>('a')
          if (first) first.click()
          else setGoing(true)
        }}
      >
        <Search aria-hidden="true" size={16} />
        <input
          ref={field}
          type="search"
          name="everything"
          aria-label="Search people, references and amounts"
          aria-keyshortcuts="/"
          placeholder="Search people, references, amounts"
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          enterKeyHint="go"
          value={typed}
          onFocus={() => setOpen(true)}
          onChange={({ target }) => {
            setTyped(target.value)
            setOpen(true)
            setGoing(false)
          }}
        />
        <KeyHint of="/" />
      </form>
      {isOpen && query !== '' && <Results query={query} isGoing={isGoing && query === typed.trim()} />}
      {/* Not inside this landmark, because the dialog has a header of its own. */}
      {isHelping && createPortal(<ShortcutHelp open onClose={() => setHelping(false)} />, document.body)}
    </search>
  )
}

function Results({ query, isGoing }: { query: string; isGoing: boolean }) {
  const found = useResource(`console search ${query}`, () =>
    call(searchConsole, { body: { query }, quiet: true }),
  )
  const results = found.state === 'ready' ? listResults(found.data) : []
  const first = results[0]?.href
  useEffect(() => {
    if (isGoing && first !== undefined) location.assign(first)
  }, [isGoing, first])
  const text =
    found.state === 'loading'
      ? 'Searching'
      : found.state === 'failed'
        ? found.msg
        : results.length === 0
          ? `Nothing found for “${query}”.`
          : ''
  return (
    <div className={styles.results}>
      <p role="status" className={text === '' ? 'visually-hidden' : 'soft small'}>
        {text === '' ? `${results.length} found` : text}
      </p>
      {results.length > 0 && (
        <ul className="plain-list">
          {results.map(({ href, title, detail }) => (
            <li key={href}>
              <a href={href} className={styles.result}>
                <b>{title}</b>
                <span className={styles.detail}>{detail}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The text once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
