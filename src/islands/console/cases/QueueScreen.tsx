import { type ComponentType, useCallback, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { Modal } from '../../../design/Modal.tsx'
import { OperatorScreen } from './OperatorScreen.tsx'
import styles from './QueueScreen.module.css'
import { QueueView, type QueueViewProps } from './QueueView.tsx'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useShortcuts } from './shortcuts.ts'
import type { Listed } from './useArrivals.ts'
import type { Identified } from './useDecided.ts'
import { type Queue, type QueueOf, useQueue } from './useQueue.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useSettings } from './useSettings.ts'

/** What differs between the queues of the console. */
export interface QueueKind<Q extends z.ZodMiniType, Row extends Listed> extends QueueOf<Q, Row> {
  /** One of them, in a word or two: "deposit". */
  one: string
  /** A part of which a row is found by: "Name, e-mail or reference". Left out for a list that is neither searched nor saved as a file. */
  searchedBy?: string
  /** Heads an open one; undefined until its row has come. */
  titleOf: (row: Row | undefined) => string
  /** What an open one shows. */
  Case: ComponentType<QueueCaseProps<Row>>
  /** Stands above the list. */
  above?: ComponentType<{ queue: Queue<Row>; settings: Settings | null }>
}

/** What every case of a queue gets. */
export interface QueueCaseProps<Row> {
  id: string
  /** Its row in the list: shown until the thing itself has come, where there is more of it. */
  listed: Row | undefined
  isListLoading: boolean
  settings: Settings | null
  /** With the row as it now stands. */
  onDecided: (row: Row) => void
  /** Somebody else was faster, and only the list says what it is now. */
  onOvertaken: () => void
  onClose: () => void
  /** Undefined where none is left that waits. */
  onNext: (() => void) | undefined
}

/** A queue and what is open of it. Everything in it can be done by keys alone. */
export function QueueScreen<Q extends z.ZodMiniType, Row extends Listed>({ kind }: KindProps<Q, Row>) {
  const screen = useCallback(() => <Working kind={kind} />, [kind])
  return <OperatorScreen waiting={<Waiting {...kind} />}>{screen}</OperatorScreen>
}

interface KindProps<Q extends z.ZodMiniType, Row extends Listed> {
  /** The same one for as long as the screen stands. */
  kind: QueueKind<Q, Row>
}

/** What is built into the page. */
function Waiting<Row extends Identified>(
  kind: Pick<QueueViewProps<Row>, 'what' | 'searchedBy' | 'filters' | 'columns'>,
) {
  return <QueueView {...kind} searchField={useRef(null)} onSearched={() => undefined} />
}

function Working<Q extends z.ZodMiniType, Row extends Listed>({ kind }: KindProps<Q, Row>) {
  const { titleOf, Case, above: Above } = kind
  const queue = useQueue(kind)
  const settings = useSettings()
  const known = settings.state === 'ready' ? settings.data : null
  const [isHelping, setHelping] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const opened = useRef<HTMLDivElement>(null)
  const rows = useRowFocus(list, queue.openId)
  const { openId, next, open, step } = queue
  const help = () => setHelping(true)
  // What was typed about one is not lost by a press that leads to another.
  const unlessDeciding = (act: () => void) => () => {
    if (!opened.current?.querySelector('[data-deciding]')) act()
  }
  useShortcuts(
    {
      j: () => rows.move(1),
      k: () => rows.move(-1),
      o: rows.open,
      u: queue.reload,
      '/': () => {
        search.current?.focus()
        search.current?.select()
      },
      '?': help,
    },
    list,
  )
  useShortcuts(
    {
      j: unlessDeciding(() => step(1)),
      k: unlessDeciding(() => step(-1)),
      n: next && unlessDeciding(() => open(next)),
      '?': help,
    },
    opened,
  )
  return (
    <>
      {Above && <Above queue={queue} settings={known} />}
      <div ref={list} className={styles.list} tabIndex={-1}>
        <QueueView
          {...kind}
          queue={queue}
          onHelp={help}
          searchField={search}
          onSearched={() => list.current?.focus({ preventScroll: true })}
        />
      </div>
      <Modal open={openId !== ''} onClose={queue.close} title={titleOf(queue.opened)} size="large">
        <div ref={opened} className="stack">
          <Case
            key={openId}
            id={openId}
            listed={queue.opened}
            isListLoading={queue.data.state === 'loading'}
            settings={known}
            onDecided={queue.put}
            onOvertaken={queue.look}
            onClose={queue.close}
            onNext={next && (() => open(next))}
          />
        </div>
      </Modal>
      <ShortcutHelp open={isHelping} onClose={() => setHelping(false)} />
    </>
  )
}
