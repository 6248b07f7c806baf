import { useEffect, useRef, useState } from 'react'
import { describeBrowser } from '../../../contract/identity/browserNames.ts'
import { endOtherSessions, endSession, type SessionRow } from '../../../contract/identity/sessions.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { Waiting } from '../../lib/Loaded.tsx'
import type { Pages } from '../../lib/pages.ts'
import styles from './Profile.module.css'

interface SessionsProps {
  sessions: Pages<SessionRow>
  onEnded: () => void
}

export function Sessions({ sessions, onEnded }: SessionsProps) {
  const { data, reload, ...paging } = sessions
  const list = useRef<HTMLUListElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [endedCount, setEndedCount] = useState(0)
  const end = (msg: string) => {
    toast.success(msg)
    setEndedCount(endedCount + 1)
    onEnded()
  }
  useEffect(() => {
    // The clicked button was removed with its session. In an effect, because a closing dialog first returns the focus.
    if (endedCount > 0) list.current?.focus()
  }, [endedCount])
  return (
    <Panel title="Sessions">
      <p className="small soft">
        Each sign-in opens a session. It ends after two hours without use, and after 24 hours at the latest.
      </p>
      {data.state === 'loading' && (
        <Waiting label="Loading your sessions">
          <Skeleton width="medium" />
          <Skeleton width="short" />
          <Skeleton width="long" />
        </Waiting>
      )}
      {data.state === 'failed' && <LoadFailure msg={data.msg} onRetry={reload} />}
      {data.state === 'ready' && (
        <>
          <ul ref={list} tabIndex={-1} className={styles.list} aria-label="Sessions">
            {[...data.rows].sort(compareSessions).map((session) => (
              <Session key={session._id} session={session} onEnded={end} />
            ))}
          </ul>
          <Pagination {...paging} />
          {data.rows.some(({ current }) => !current) && (
            <div className="row">
              <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
                End All Others
              </Button>
            </div>
          )}
        </>
      )}
      <Modal open={isAsking} onClose={() => setAsking(false)} title="End all other sessions?">
        <EndOthers
          onCancel={() => setAsking(false)}
          onEnded={() => {
            setAsking(false)
            end('All other sessions were ended.')
          }}
        />
      </Modal>
    </Panel>
  )
}

function Session({ session, onEnded }: { session: SessionRow; onEnded: (msg: string) => void }) {
  const device = describeBrowser(session.userAgent) ?? 'Unknown program'
  const { busy, start } = useAction(async () => {
    await call(endSession, { params: { id: session._id } })
    onEnded('The session was ended.')
  })
  return (
    <li className={styles.entry}>
      <div className={styles.facts}>
        <p className={styles.name}>
          {device} {session.current && <Status status="active" label="This one" />}
        </p>
        <p className="small soft">
          <span>{session.current ? 'In use now' : 'Last used '}</span>
          {!session.current && <DateTime at={session.lastSeenAt} />}
        </p>
        <p className="small soft">
          Opened <DateTime at={session.createdAt} />
          <span>{session.ip && ` from ${session.ip}`}</span>
        </p>
      </div>
      {!session.current && (
        <Button size="small" busy={busy} onClick={start}>
          End<span className="visually-hidden"> the session of {device}</span>
        </Button>
      )}
    </li>
  )
}

function EndOthers({ onCancel, onEnded }: { onCancel: () => void; onEnded: () => void }) {
  const { busy, start } = useAction(() => call(endOtherSessions).then(onEnded))
  return (
    <>
      <p>
        You stay signed in here. All other browsers and devices have to sign in again. Your keys for programs
        and guest links stop working. If somebody else used your account, change your password instead. That
        also ends all other sessions.
      </p>
      <div className="row">
        <Button variant="danger" busy={busy} onClick={start}>
          End All Others
        </Button>
        <Button onClick={onCancel}>Keep Them</Button>
      </div>
    </>
  )
}

function compareSessions(a: SessionRow, b: SessionRow): number {
  return Number(b.current) - Number(a.current)
}
