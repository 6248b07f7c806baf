import { useCallback, useRef, useState } from 'react'
import { Modal } from '../../../design/Modal.tsx'
import styles from './cases.module.css'
import { OperatorScreen } from './OperatorScreen.tsx'
import { QueueCase } from './QueueCase.tsx'
import { QueueView } from './QueueView.tsx'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useQueue } from './useQueue.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useSettings } from './useSettings.ts'

interface KindProps<Row extends QueueRow> {
  /** Must not change while the screen is mounted. */
  kind: QueueKind<Row>
}

/** A queue and its open case. The keyboard alone is enough for everything. */
export function QueueScreen<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const screen = useCallback(() => <LoadedQueue kind={kind} />, [kind])
  const search = useRef(null)
  return (
    <OperatorScreen waiting={<QueueView kind={kind} searchField={search} onSearched={() => undefined} />}>
      {screen}
    </OperatorScreen>
  )
}

function LoadedQueue<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const { titleOf, above: Above } = kind
  const queue = useQueue(kind)
  const loaded = useSettings()
  const settings = loaded.state === 'ready' ? loaded.data : null
  const [isHelping, setHelping] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const dialog = useRef<HTMLDivElement>(null)
  const { openId, next, open, step } = queue
  const rows = useRowFocus(list, openId)
  const help = () => setHelping(true)
  // A key that leads to another case must not lose what was typed in this one.
  const unlessDeciding = (act: () => void) => () => {
    if (!dialog.current?.querySelector('[data-deciding]')) act()
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
    dialog,
  )
  return (
    <>
      {Above && <Above queue={queue} settings={settings} />}
      <div ref={list} className={styles.list} tabIndex={-1}>
        <QueueView
          kind={kind}
          queue={queue}
          onHelp={help}
          searchField={search}
          onSearched={() => list.current?.focus({ preventScroll: true })}
        />
      </div>
      <Modal open={openId !== ''} onClose={queue.close} title={titleOf(queue.opened)} size="large">
        <div ref={dialog} className="stack">
          <QueueCase
            key={openId}
            kind={kind}
            id={openId}
            listed={queue.opened}
            isListLoading={queue.data.state === 'loading'}
            settings={settings}
            onDecided={queue.put}
            onOvertaken={queue.refresh}
            onClose={queue.close}
            onNext={next && (() => open(next))}
          />
        </div>
      </Modal>
      <ShortcutHelp open={isHelping} onClose={() => setHelping(false)} />
    </>
  )
}
